import BetterSqlite3 from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import { askMerge, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import type { ListPage } from '../../../../test/prospects.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import type { AuditAction, AuditSubject } from '../../../lib/declared.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Draft } from '../writing/drafts.schema.ts'
import {
  addClaim,
  addObservation,
  approve,
  approvedDraft,
  approvedPolicy,
  askCopy,
  basisBody,
  type DraftsWorld,
  draftBody,
  draftsWorld,
  EMAIL,
  follow,
  outcomeOf,
  readDraft,
  requestApproval,
  resultOf,
  sent,
  WORDS,
  writeDraft,
} from './drafts-world.ts'

/*
 * The causes that end an approval, one test each, and changes that end none (specification, Phase 14 §3). Every cause refuses a copy at once, before the
 * follower has stored anything.
 */

type Cause = {
  name: string
  code: string
  refusal?: string
  act: (world: DraftsWorld, draft: Draft) => Promise<unknown>
}

const supersede = (world: DraftsWorld) =>
  sent(
    world.operator.post(`/businesses/${world.businessId}/evidence`, {
      observation: 'They stopped repairing windpumps.',
      sourceLabel: 'A call',
      capturedAt: '2026-11-21T07:00:00Z',
      confidence: 'high',
      supersedesId: world.citedId,
    }),
  )

async function editBusiness({ operator, businessId }: DraftsWorld, body: object): Promise<unknown> {
  const { headers } = await operator.get(`/businesses/${businessId}`)
  return sent(operator.patch(`/businesses/${businessId}`, body, { 'if-match': String(headers.etag) }))
}

const causes: Cause[] = [
  { name: 'a cited observation is superseded', code: 'evidence', act: supersede },
  {
    name: 'new evidence about a shown field',
    code: 'evidence',
    act: ({ operator, businessId }) => addClaim(operator, businessId, 'name', 'Karoo Pumps'),
  },
  {
    name: 'the value of a merge field changes',
    code: 'field',
    act: (world) => editBusiness(world, { name: 'Karoo Pumps and Sons' }),
  },
  {
    name: 'new evidence contradicts a shown value',
    code: 'uncertainty',
    act: ({ operator, businessId }) => addClaim(operator, businessId, 'name', 'Cradock Solar'),
  },
  {
    name: 'a shown value is removed from the record',
    code: 'merge_fields',
    act: (world) => editBusiness(world, { tradingName: null }),
  },
  {
    name: 'the assignee, whose name the text shows, changes',
    code: 'field',
    act: ({ t, operator }, { id }) =>
      sent(operator.patch(`/drafts/${id}`, { assigneeId: t.tenants.home.users.manager.id }, { 'if-match': '"1"' })),
  },
  {
    name: 'the assignee, whose name the text shows, is renamed',
    code: 'field',
    act: async ({ t, administrator }) => {
      const path = `/users/${t.tenants.home.users.operator.id}`
      const { headers } = await administrator.get(path)
      await sent(administrator.patch(path, { name: 'Renamed' }, { 'if-match': String(headers.etag) }))
    },
  },
  {
    name: 'the prospect is deactivated',
    code: 'scope',
    act: ({ manager, businessId }) =>
      sent(manager.post(`/businesses/${businessId}/deactivation`, { reason: 'Created by mistake.' })),
  },
  {
    name: 'the recipient is suppressed',
    code: 'suppression',
    refusal: 'suppressed',
    act: ({ operator }) =>
      sent(operator.post('/suppressions', { kind: 'email', value: EMAIL, reason: 'No.', channel: 'phone' })),
  },
  {
    name: 'the recipient leaves the record',
    code: 'recipient',
    act: (world) => editBusiness(world, { emails: [{ value: 'other@karoo-pumps.co.za' }] }),
  },
  {
    name: 'the legal basis is withdrawn',
    code: 'legal_basis',
    act: ({ operator, businessId, basisId }) =>
      sent(operator.post(`/businesses/${businessId}/legal-bases/${basisId}/withdrawal`, { reason: 'They called.' })),
  },
  {
    name: 'another version of the policy is approved',
    code: 'policy',
    act: (world) => approvedPolicy(world),
  },
  {
    name: 'the policy is withdrawn',
    code: 'policy',
    act: ({ manager, policyId }) =>
      sent(manager.post(`/draft-policies/${policyId}/withdrawal`, { reason: 'The law changed.' })),
  },
  {
    name: 'the sender gets another name',
    code: 'field',
    act: async ({ administrator, t }) => {
      const { id } = t.tenants.home.users.operator
      const { headers } = await administrator.get(`/users/${id}`)
      return sent(administrator.patch(`/users/${id}`, { name: 'Another Name' }, { 'if-match': String(headers.etag) }))
    },
  },
  {
    name: 'the prospect becomes do not contact',
    code: 'suppression',
    refusal: 'suppressed',
    act: ({ operator, businessId }) =>
      sent(operator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'No.' })),
  },
  {
    name: 'a domain in the text is suppressed',
    code: 'suppression',
    refusal: 'suppressed',
    act: ({ operator }) =>
      sent(
        operator.post('/suppressions', { kind: 'domain', value: 'windpumps.example', reason: 'No.', channel: 'phone' }),
      ),
  },
  {
    name: 'the store is restored',
    code: 'restored',
    act: ({ t }) =>
      change(
        t.store,
        systemActor('command line', t.tenants.home.id),
        { permission: null, action: 'store.restore' },
        (tx) => tx.record({ subject: { type: 'tenant', id: t.tenants.home.id } }),
      ),
  },
  {
    name: 'the approval expires',
    code: 'expired',
    act: async ({ t }) => t.clock.advance(7 * DAY_MS),
  },
]

test.each(causes)('an approval ends when $name, and the copy is refused at once', async ({ code, refusal, act }) => {
  const world = await draftsWorld()
  const { operator, t } = world
  await editBusiness(world, { tradingName: 'Karoo' })
  await addClaim(operator, world.businessId, 'tradingName', 'Karoo')
  const text =
    'Good day {{business.name}}, {{business.tradingName}} [^1], see windpumps.example. {{sender.name}} {{sender.optOut}}'
  const draft = await approvedDraft(world, { text })
  await act(world, draft)
  expect(await outcomeOf(operator, draft)).toBe(refusal ?? 'approval_ended')
  const judged = await readDraft(world, draft.id)
  expect([judged.state, judged.stale?.causes.map((one) => one.code)]).toEqual([
    'needs_review',
    expect.arrayContaining([code]),
  ])
  await follow(t)
  const stored = await readDraft(world, draft.id)
  expect(stored.stale?.causes.map((one) => one.code)).toEqual(judged.stale?.causes.map((one) => one.code))
  const listed = await sent(operator.get<ListPage<{ id: string }>>('/drafts?state=needs_review'))
  expect(listed.items.map(({ id }) => id)).toEqual([draft.id])
  const action = code === 'expired' ? 'draft.expire' : 'draft.stale'
  const { items } = await sent(world.administrator.get<ListPage<AuditEvent>>(`/audit-events?action=${action}`))
  expect(items.map(({ subject }) => subject.id)).toEqual([draft.id])
  // It is settled: following again writes nothing.
  expect(await t.changes(() => follow(t))).toEqual({})
})

test('an event that cannot end a draft judges no draft: other people, proposals, other channels and suggestions', async () => {
  const world = await draftsWorld()
  const { t, administrator, manager, policyId } = world
  await approvedDraft(world)
  await follow(t)
  const { id: tenantId, users } = t.tenants.home
  const judgements = countRuns(/from "draft_versions" as "v" left join/)
  const recorded = async (action: AuditAction, type: AuditSubject, id: string) => {
    await change(t.store, systemActor('command line', tenantId), { permission: null, action }, (tx) =>
      tx.record({ subject: { type, id } }),
    )
    await follow(t)
    return judgements()
  }
  expect(await recorded('tenant.configure', 'tenant', tenantId)).toBe(1)
  expect(await recorded('user.change_role', 'user', users.operator.id)).toBe(1)
  expect(await recorded('draft_policy.expire', 'draft_policy', policyId)).toBe(1)
  expect(await recorded('suppression.reevaluate', 'suppression', newId())).toBe(1)
  for (const [action, type, id] of [
    ['user.change_role', 'user', users.manager.id],
    ['user.invite', 'user', newId()],
    ['assist.policy_withdraw', 'assist_policy', newId()],
    ['draft_policy.propose', 'draft_policy', policyId],
    ['suppression.remove', 'suppression', newId()],
  ] as const)
    expect([action, await recorded(action, type, id)]).toEqual([action, 0])
  await approvedPolicy({ t, tenant: 'home', administrator, manager }, { channel: 'sms', requiredFields: [] })
  await follow(t)
  expect(judgements()).toBe(0)
})

/** Counts how often a statement ran since the last call. */
function countRuns(text: RegExp): () => number {
  const database = new BetterSqlite3(':memory:')
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  const { all } = statement
  let runs = 0
  vi.spyOn(statement, 'all').mockImplementation(function (this: BetterSqlite3.Statement, ...given: unknown[]) {
    if (text.test(this.source)) runs += 1
    return all.apply(this, given)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return () => {
    const counted = runs
    runs = 0
    return counted
  }
}

test('the end of what an approval is bound to ends it: a legal basis, a policy and the freshness of evidence', async () => {
  const ends = async (days: number, make: (world: DraftsWorld) => Promise<unknown>, more: object = {}) => {
    const world = await draftsWorld()
    await make(world)
    const draft = await approvedDraft(world, more, { endsInDays: 30 })
    world.t.clock.advance((days - 1) * DAY_MS)
    await follow(world.t)
    expect((await readDraft(world, draft.id)).state).toBe('approved')
    world.t.clock.advance(DAY_MS)
    await follow(world.t)
    return (await readDraft(world, draft.id)).stale?.causes.map((one) => one.code)
  }
  const shortBasis = ({ operator, businessId }: DraftsWorld) =>
    sent(
      operator.post(`/businesses/${businessId}/legal-bases`, {
        ...basisBody,
        purpose: 'answer',
        until: '2026-11-26T08:00:00Z',
      }),
    )
  expect(await ends(5, shortBasis, { purpose: 'answer' })).toEqual(['legal_basis'])
  expect(await ends(6, (world) => approvedPolicy(world, { endsAt: '2026-11-27T08:00:00Z' }))).toEqual(['policy'])
  // The observation is from 20 November at 9:00.
  expect(await ends(8, (world) => approvedPolicy(world, { freshnessDays: { other: 8, name: 200 } }))).toEqual([
    'freshness',
  ])
})

test('a merge sends the draft of the merged record to review and lists it with the survivor; a reversal returns it', async () => {
  const world = await draftsWorld()
  const { manager, operator, t } = world
  const { a, b } = await suggestedPair(t, manager, 'Overberg Wells')
  const email =
    (await sent(operator.get<{ emails: { value: string }[] }>(`/businesses/${b}`))).emails[0]?.value ?? EMAIL
  await sent(operator.post(`/businesses/${b}/legal-bases`, basisBody))
  const cited = await addObservation(operator, b)
  const text = 'Good day [^1]. {{sender.name}} {{sender.optOut}}'
  const draft = await approvedDraft(
    { ...world, businessId: b, citedId: cited },
    { text, recipient: { kind: 'email', value: email } },
  )
  const merge = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect(await outcomeOf(operator, draft)).toBe('approval_ended')
  await follow(t)
  const stale = await readDraft(world, draft.id)
  expect([stale.state, stale.stale?.causes.map((one) => one.code)]).toEqual([
    'needs_review',
    expect.arrayContaining(['merge']),
  ])
  const ofRecord = async (id: string) =>
    (await sent(operator.get<ListPage<{ id: string }>>(`/drafts?businessId=${id}`))).items.map((one) => one.id)
  expect(await ofRecord(a)).toEqual([draft.id])
  await sent(manager.post(`/merges/${merge.id}/reversal`, { reason: 'Two companies.' }, { 'idempotency-key': 'r' }))
  expect([await ofRecord(a), await ofRecord(b)]).toEqual([[], [draft.id]])
  const back = await readDraft(world, draft.id)
  expect([back.state, resultOf(back, 'scope')]).toEqual(['needs_review', 'pass'])
  const again = await approve(world, await requestApproval(world, back))
  expect(await outcomeOf(operator, again)).toBe(201)
})

test('evidence about another field, a note, a title, a new legal basis and a reached cap end nothing', async () => {
  const world = await draftsWorld()
  const { operator, businessId, t } = world
  const draft = await approvedDraft(world)
  t.clock.advance(60_000)
  const newId = await addClaim(operator, businessId, 'industry', 'Pumps')
  await sent(operator.post(`/businesses/${businessId}/notes`, { text: 'Called.' }))
  await sent(operator.post(`/businesses/${businessId}/legal-bases`, { ...basisBody, until: '2028-10-01T00:00:00Z' }))
  await sent(operator.patch(`/drafts/${draft.id}`, { title: 'Renamed' }, { 'if-match': '"1"' }))
  await editBusiness(world, { tags: ['Visited'] })
  expect([await outcomeOf(operator, draft), await outcomeOf(operator, draft)]).toEqual([201, 201])
  await follow(t)
  const read = await readDraft(world, draft.id)
  expect([read.state, read.newSinceApproval]).toEqual([
    'approved',
    [{ evidenceId: newId, at: t.clock().toISOString() }],
  ])
  expect(resultOf(read, 'caps')).toBe('fail')
})

test('a request expires after 14 days, and ends when what it is for changes', async () => {
  const world = await draftsWorld()
  const { manager, operator, t } = world
  const first = await requestApproval(world, await writeDraft(world))
  const second = await requestApproval(world, await writeDraft(world))
  await sent(operator.patch(`/drafts/${second.id}`, { subject: 'Other' }, { 'if-match': '"1"' }))
  expect((await readDraft(world, second.id)).state).toBe('writing')
  t.clock.advance(14 * DAY_MS)
  expect((await readDraft(world, first.id)).state).toBe('writing')
  const late = await manager.post(`/drafts/${first.id}/approvals`, {
    contentHash: first.contentHash,
    snapshotHash: first.snapshotHash,
    reason: 'Late.',
  })
  expect(late).toMatchObject({ status: 409, body: { code: 'draft_not_open' } })
  await follow(t)
  expect((await sent(manager.get<ListPage<unknown>>('/draft-approval-requests'))).items).toEqual([])
  expect((await requestApproval(world, await readDraft(world, first.id))).state).toBe('in_review')
})

test('a clock that is set back revives no approval and frees no cap', async () => {
  const world = await draftsWorld()
  const { operator, t } = world
  const draft = await approvedDraft(world)
  t.clock.advance(7 * DAY_MS)
  await sent(operator.post(`/businesses/${world.businessId}/notes`, { text: 'Later.' }))
  t.clock.advance(-5 * DAY_MS)
  expect(await outcomeOf(operator, draft)).toBe('approval_ended')
  const again = await approvedDraft(world)
  expect([await outcomeOf(operator, again), await outcomeOf(operator, again)]).toEqual([201, 201])
  t.clock.advance(-40 * DAY_MS)
  expect(await outcomeOf(await freshClient(t, 'operator'), again)).toBe('cap_reached')
})

test('the value of a field that looks like a field is shown as it is', async () => {
  const world = await draftsWorld()
  const { operator } = world
  const { id } = await sent(
    operator.post<{ id: string }>('/businesses', { name: '{{sender.name}}', emails: [{ value: 'x@braces.example' }] }),
  )
  await addClaim(operator, id, 'name', '{{sender.name}}')
  const cited = await addObservation(operator, id)
  const body = draftBody({ businessId: id, citedId: cited })
  const draft = await sent(
    operator.post<Draft>('/drafts', { ...body, recipient: { kind: 'email', value: 'x@braces.example' } }),
  )
  expect(draft.rendered?.text).toContain('Good day {{sender.name}}, you repair')
  expect([WORDS.length > 0, resultOf(draft, 'merge_fields'), (await askCopy(operator, draft)).status]).toEqual([
    true,
    'pass',
    409,
  ])
})
