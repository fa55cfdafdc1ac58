import { expect, test } from 'vitest'
import { type AssistWorld, assistWorld, suggested } from '../../../../test/assist-world.ts'
import { type ListPage, type Problem, walk } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { SUGGESTION_LABEL } from '../../assist/assist.ts'
import type { Suggestion } from '../../assist/suggestions/suggestions.schema.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Checked, Draft, DraftVersion } from '../writing/drafts.schema.ts'
import {
  addClaim,
  addProspect,
  approve,
  approvedDraft,
  askCopy,
  copyBody,
  type DraftsWorld,
  draftBody,
  follow,
  furnishWorld,
  outcomeOf,
  readDraft,
  requestApproval,
  resultOf,
  sent,
  writeDraft,
} from './drafts-world.ts'

/* Texts that started as a suggestion (specification, Phase 14 §2): the label, the check, the end of the approval, and the fingerprint of copies. */

type OriginWorld = DraftsWorld & { assist: AssistWorld; industryId: string }

async function originWorld(): Promise<OriginWorld> {
  const assist = await assistWorld()
  await assist.approvedPolicy()
  const world = await furnishWorld(assist.t)
  const industryId = await addClaim(world.operator, world.businessId, 'industry', 'Windpumps and boreholes')
  return { ...world, assist: { ...assist, businessId: world.businessId }, industryId }
}

async function decided({ assist }: OriginWorld, suggestion: Suggestion, decision: 'approve' | 'reject') {
  const body = { decision, reason: 'Checked against the quotes.', fingerprint: suggestion.fingerprint }
  await sent(assist.manager.post(`/assist/suggestions/${suggestion.id}/decision`, body))
}

/** An approved suggestion about the prospect of this world. */
async function approvedSuggestion(world: OriginWorld): Promise<string> {
  const suggestion = await suggested(world.assist, [world.industryId])
  await decided(world, suggestion, 'approve')
  return suggestion.id
}

const fromSuggestion = (suggestionId: string) => ({ suggestionId })
const supersede = ({ operator, businessId, industryId }: OriginWorld) =>
  addClaim(operator, businessId, 'industry', 'Solar pumps', { supersedesId: industryId })

test('a text that started as an approved suggestion has its label on the draft, each version, live checks and copies; another text has none', async () => {
  const world = await originWorld()
  const suggestionId = await approvedSuggestion(world)
  const plain = await approvedDraft(world)
  expect([plain.label, plain.suggestionId, resultOf(plain, 'ai_origin')]).toEqual([null, null, 'not_applicable'])
  expect((await askCopy(world.operator, plain)).body.label).toBeNull()

  const first = await writeDraft(world, fromSuggestion(suggestionId))
  const path = `/drafts/${first.id}`
  const edited = await sent(world.operator.patch<Draft>(path, { subject: 'Edited by a person' }, { 'if-match': '"1"' }))
  expect([edited.label, edited.suggestionId, resultOf(edited, 'ai_origin')]).toEqual([
    SUGGESTION_LABEL,
    suggestionId,
    'pass',
  ])
  expect(edited.versions).toMatchObject({
    suggestion: suggestionId,
    provider: expect.stringMatching(/^[0-9a-f]{64}$/),
    assistPolicy: '1',
  })
  const versions = await walk<DraftVersion>(world.operator, `${path}/versions`)
  expect(versions.map(({ number, label }) => [number, label])).toEqual([
    [2, SUGGESTION_LABEL],
    [1, SUGGESTION_LABEL],
  ])
  const unsaved = { ...draftBody(world), text: 'Edited again [^1]. {{sender.name}} {{sender.optOut}}' }
  const saved = await sent(world.operator.post<Checked>('/draft-checks', { ...unsaved, draftId: first.id }))
  const other = await sent(world.operator.post<Checked>('/draft-checks', unsaved))
  expect([saved, other].map((one) => [one.label, resultOf(one, 'ai_origin')])).toEqual([
    [SUGGESTION_LABEL, 'pass'],
    [null, 'not_applicable'],
  ])
  const approved = await approve(world, await requestApproval(world, edited))
  const copied = await askCopy(world.operator, approved)
  expect([copied.status, copied.body.label]).toEqual([201, SUGGESTION_LABEL])
  const { items } = await sent(world.administrator.get<ListPage<AuditEvent>>('/audit-events?action=draft.copy'))
  expect(items.find(({ subject }) => subject.id === first.id)?.after).toMatchObject({
    suggestion: suggestionId,
    provider: approved.versions.provider,
    assistPolicy: '1',
  })
})

test('a draft starts only from an approved and current suggestion about its own prospect', async () => {
  const world = await originWorld()
  const start = (suggestionId: string, more: object = {}) =>
    world.operator.post<Problem>('/drafts', { ...draftBody(world), suggestionId, ...more })
  const waiting = await suggested(world.assist, [world.industryId])
  expect(await start(waiting.id)).toMatchObject({ status: 409, body: { code: 'suggestion_not_approved' } })
  await decided(world, waiting, 'reject')
  expect(await start(waiting.id)).toMatchObject({ status: 409, body: { errors: [{ code: 'rejected' }] } })

  const suggestionId = await approvedSuggestion(world)
  const otherId = await addProspect(world.operator, 'info@other-pumps.example')
  const foreign = await start(suggestionId, {
    businessId: otherId,
    citations: [],
    noCitationReason: 'x',
    text: 'Hello.',
  })
  expect(foreign).toMatchObject({ status: 404, body: { errors: [{ path: 'suggestionId' }] } })
  const unsaved = { ...draftBody(world), businessId: otherId, citations: [], suggestionId }
  const checked = await sent(world.operator.post<Checked>('/draft-checks', unsaved))
  expect(resultOf(checked, 'ai_origin')).toBe('unknown')

  await supersede(world)
  expect(await start(suggestionId)).toMatchObject({ status: 409, body: { errors: [{ code: 'invalidated' }] } })
})

const ends: [string, (world: OriginWorld) => Promise<unknown>][] = [
  ['its evidence is superseded', supersede],
  ['another assistance policy is approved', ({ assist }) => assist.approvedPolicy()],
  [
    'its source is disabled',
    ({ assist }) => sent(assist.author.post(`/sources/${assist.sourceId}/disablement`, { reason: 'Stopped.' })),
  ],
]

test.each(ends)(
  'an approval ends when the suggestion is invalidated because %s, and cannot be requested again',
  async (_why, act) => {
    const world = await originWorld()
    const { assist, operator, t } = world
    const draft = await approvedDraft(world, fromSuggestion(await approvedSuggestion(world)))
    await act(world)
    expect(await outcomeOf(operator, draft)).toBe('approval_ended')
    const judged = await readDraft(world, draft.id)
    expect([judged.state, judged.stale?.causes]).toEqual([
      'needs_review',
      [expect.objectContaining({ code: 'suggestion', subject: draft.suggestionId })],
    ])
    await upkeepOf('assist', t.store, assist.adapters)
    await follow(t, assist.adapters)
    const stored = await readDraft(world, draft.id)
    expect(stored.stale?.causes).toMatchObject([{ code: 'suggestion', by: {}, at: expect.any(String) }])
    const { id, contentHash, snapshotHash } = stored
    const again = await operator.post<Problem>(`/drafts/${id}/approval-requests`, { contentHash, snapshotHash })
    expect(again).toMatchObject({ status: 422, body: { code: 'checks_failed', errors: [{ path: 'ai_origin' }] } })
  },
)

test('an approval of a text that no suggestion started does not end with one', async () => {
  const world = await originWorld()
  const { assist, operator, t } = world
  await approvedSuggestion(world)
  const draft = await approvedDraft(world)
  await assist.approvedPolicy()
  await upkeepOf('assist', t.store, assist.adapters)
  await follow(t, assist.adapters)
  expect((await readDraft(world, draft.id)).state).toBe('approved')
  expect(await outcomeOf(operator, draft)).toBe(201)
})

test('the fingerprint of a copy covers the suggestion, its provider and its policy', async () => {
  const world = await originWorld()
  const draft = await approvedDraft(world, fromSuggestion(await approvedSuggestion(world)))
  const copy = (more: object, key: string) =>
    world.operator.post<Problem>(
      `/drafts/${draft.id}/copies`,
      { ...copyBody(draft), ...more },
      { 'idempotency-key': key },
    )
  expect((await copy({}, 'key')).status).toBe(201)
  const others = [{ suggestionId: null }, { provider: 'another' }, { assistPolicy: '2' }]
  for (const [at, more] of others.entries()) {
    expect(await copy(more, 'key')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await copy(more, `fresh-${at}`)).toMatchObject({ status: 409, body: { code: 'draft_changed' } })
  }
})
