import { expect, test } from 'vitest'
import { type ListPage, type Problem, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Copy } from '../copies/copies.schema.ts'
import { limits } from '../limits.ts'
import type { Draft, DraftSummary } from '../writing/drafts.schema.ts'
import {
  addObservation,
  addProspect,
  approve,
  approvedDraft,
  askCopy,
  basisBody,
  copyBody,
  draftBody,
  draftsWorld,
  EMAIL,
  outcomeOf,
  readDraft,
  requestApproval,
  resultOf,
  seenOf,
  sent,
  writeDraft,
} from './drafts-world.ts'

test('a draft is written, approved by another person and copied, and every step is audited without the text', async () => {
  const world = await draftsWorld()
  const { t, manager, operator, businessId } = world
  const draft = await writeDraft(world)
  expect([draft.state, draft.version, draft.versions.policy]).toEqual(['writing', 1, 'za/email/1'])
  expect(draft.checks.filter(({ result }) => result === 'fail' || result === 'unknown').map(({ key }) => key)).toEqual([
    'approval',
  ])
  expect(draft.rendered?.text).toBe(
    `Good day Karoo Pumps, you repair windpumps. ${t.tenants.home.users.operator.name}\nReply with "Stop" to hear no more.`,
  )
  const asked = await requestApproval(world, draft)
  expect(asked.state).toBe('in_review')
  const approved = await approve(world, asked)
  expect([approved.state, resultOf(approved, 'approval')]).toEqual(['approved', 'pass'])
  const answers: Copy[] = []
  const changes = await t.changes(async () => {
    const answer = await askCopy(operator, approved)
    expect(answer.status).toBe(201)
    answers.push(answer.body)
  })
  // The copy, its place in the history, its audit event and its key: no state, no interaction, no move, no job.
  expect(changes).toEqual({ draft_copies: 1, draft_events: 1, audit_events: 1, idempotency_keys: 1 })
  expect(answers[0]).toMatchObject({ text: draft.rendered?.text, textWithheld: null, remaining: { recipient: 1 } })
  expect((await readDraft(world, draft.id)).state).toBe('approved')
  const events = (await operator.get<ListPage<AuditEvent>>(`/businesses/${businessId}/activity?limit=200`)).body.items
  const own = events.filter(({ subject }) => subject.id === draft.id).map(({ action }) => action)
  expect(own).toEqual(['draft.copy', 'draft.approve', 'draft.request_approval', 'draft.create'])
  const told = events.filter(({ subject }) => subject.type === 'draft')
  expect(JSON.stringify(told)).not.toMatch(/windpumps|karoo-pumps/)
  expect(t.logged()).not.toContain('windpumps')
  expect((await walk<DraftSummary>(manager, '/drafts?state=approved')).map(({ id }) => id)).toEqual([draft.id])
})

test('the author, the requester and a person without the permission do not approve, and a failed approval is audited', async () => {
  const world = await draftsWorld()
  const { t, administrator, manager, operator } = world
  const draft = await sent(manager.post<Draft>('/drafts', draftBody(world)))
  await sent(operator.post(`/drafts/${draft.id}/approval-requests`, seenOf(draft)))
  const body = { ...seenOf(draft), reason: 'Mine.' }
  expect((await operator.post(`/drafts/${draft.id}/approvals`, body)).status).toBe(403)
  const changes = await t.changes(async () => {
    const answer = await manager.post<Problem>(`/drafts/${draft.id}/approvals`, body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'own_approval' } })
  })
  expect(changes).toEqual({ audit_events: 1 })
  const failed = await sent(administrator.get<ListPage<AuditEvent>>('/audit-events?action=draft.approval_failed'))
  expect(failed.items[0]).toMatchObject({ subject: { id: draft.id }, after: { code: 'own_approval', version: 1 } })
  expect((await administrator.post(`/drafts/${draft.id}/approvals`, body)).status).toBe(200)
})

test('of two approvers one decides; the other one is refused', async () => {
  const world = await draftsWorld()
  const draft = await requestApproval(world, await writeDraft(world))
  const body = { ...seenOf(draft), reason: 'It is right.' }
  const answers = await Promise.all(
    [world.manager, world.administrator].map((client) => client.post<Problem>(`/drafts/${draft.id}/approvals`, body)),
  )
  expect(answers.map(({ status, body: { code } }) => [status, code]).toSorted()).toEqual([
    [200, undefined],
    [409, 'draft_not_open'],
  ])
})

test('an approval of what somebody saw a moment ago is refused with what changed', async () => {
  const world = await draftsWorld()
  const draft = await requestApproval(world, await writeDraft(world))
  await sent(
    world.operator.post(`/businesses/${world.businessId}/evidence`, {
      field: 'name',
      value: 'Karoo Pumps',
      sourceLabel: 'A call',
      capturedAt: '2026-11-20T10:00:00Z',
      confidence: 'high',
    }),
  )
  const answer = await world.manager.post<Problem>(`/drafts/${draft.id}/approvals`, {
    ...seenOf(draft),
    reason: 'It is right.',
  })
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'draft_changed', errors: [{ path: 'name', code: 'evidence' }] },
  })
})

test('a save makes a whole version and ends the approval; identical content makes none, and a title ends nothing', async () => {
  const world = await draftsWorld()
  const { operator, t } = world
  const approved = await approvedDraft(world)
  const path = `/drafts/${approved.id}`
  const ifMatch = (version: number) => ({ 'if-match': `"${version}"` })
  expect(await t.changes(() => operator.patch(path, { text: approved.text }, ifMatch(1)))).toEqual({})
  // The same letters, typed with a combining accent and other line ends.
  const titled = await sent(
    operator.patch<Draft>(path, { title: 'Renamed', text: approved.text.replaceAll('\n', '\r\n') }, ifMatch(1)),
  )
  expect([titled.version, titled.state, titled.title]).toEqual([1, 'approved', 'Renamed'])
  const saved = await sent(operator.patch<Draft>(path, { text: `${approved.text} Thanks.` }, ifMatch(1)))
  expect([saved.version, saved.state]).toEqual([2, 'writing'])
  expect((await operator.patch(path, { text: 'Old.' }, ifMatch(1))).status).toBe(412)
  const versions = await walk<{ number: number; text: string }>(operator, `${path}/versions`, 1)
  expect(versions.map(({ number, text }) => [number, text.endsWith('Thanks.')])).toEqual([
    [2, true],
    [1, false],
  ])
  expect((await askCopy(operator, approved)).body).toMatchObject({ code: 'approval_ended' })
})

test('accents in two Unicode forms are one text', async () => {
  const world = await draftsWorld()
  const draft = await writeDraft(world, { subject: 'Caf\u00e9' })
  const path = `/drafts/${draft.id}`
  const changes = await world.t.changes(() =>
    world.operator.patch(path, { subject: 'Cafe\u0301' }, { 'if-match': '"1"' }),
  )
  expect(changes).toEqual({})
})

test('an unknown merge field is refused with its position, and a citation of another prospect is not found', async () => {
  const world = await draftsWorld()
  const body = draftBody(world)
  const unknown = await world.operator.post<Problem>('/drafts', { ...body, text: 'Dear {{business.nmae}}' })
  expect(unknown).toMatchObject({
    status: 422,
    body: { code: 'unknown_field', errors: [{ path: 'text', message: expect.stringContaining('character 6') }] },
  })
  const { id: otherId } = await sent(world.operator.post<{ id: string }>('/businesses', { name: 'Other' }))
  const foreign = await world.operator.post<Problem>('/drafts', { ...body, businessId: otherId })
  expect(foreign).toMatchObject({ status: 404, body: { errors: [{ path: 'citations.0.evidenceId' }] } })
})

test('a replayed copy returns the same record and is not counted; without the gate it has no text; another payload is refused', async () => {
  const world = await draftsWorld()
  const { operator, t } = world
  const draft = await approvedDraft(world)
  const first = await askCopy(operator, draft, 'key')
  expect(first.status).toBe(201)
  const again = await askCopy(operator, draft, 'key')
  expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([201, first.body, 'true'])
  const other = await operator.post<Problem>(
    `/drafts/${draft.id}/copies`,
    { ...copyBody(draft), policyVersion: 'za/email/9' },
    { 'idempotency-key': 'key' },
  )
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  const stored = await t.store.reader.selectFrom('idempotency_keys').select('result').execute()
  expect(JSON.stringify(stored)).not.toContain('windpumps')
  await sent(operator.post(`/businesses/${world.businessId}/do-not-contact`, { reason: 'They asked.' }))
  const withheld = await askCopy(operator, draft, 'key')
  expect(withheld.body).toMatchObject({ id: first.body.id, text: null, textWithheld: 'suppressed' })
  expect(await t.store.reader.selectFrom('draft_copies').selectAll().execute()).toHaveLength(1)
  const refused = await askCopy(operator, draft)
  expect(refused).toMatchObject({ status: 422, body: { code: 'suppressed' } })
})

test('caps hold for one recipient in 30 days, and a consent request is copied once ever, also after an erasure', async () => {
  const world = await draftsWorld()
  const { administrator, operator, businessId } = world
  const consent = { ...basisBody, kind: 'consent_asked_once', form: null, purpose: 'consent_request' }
  await sent(operator.post(`/businesses/${businessId}/legal-bases`, consent))
  const asked = await approvedDraft(world, { purpose: 'consent_request' })
  const draft = await approvedDraft(world)
  expect([await outcomeOf(operator, asked), await outcomeOf(operator, asked)]).toEqual([201, 'cap_reached'])
  expect([await outcomeOf(operator, draft), await outcomeOf(operator, draft)]).toEqual([201, 'cap_reached'])
  await sent(administrator.post(`/businesses/${businessId}/erasure`, { reason: 'They asked.', suppress: false }))
  const erased = await readDraft(world, draft.id)
  expect([erased.state, erased.title, erased.text, erased.recipient.value, erased.citations[0]?.quote]).toEqual([
    'closed',
    'Erased.',
    '',
    '',
    null,
  ])
  const again = await addProspect(operator, EMAIL)
  await sent(operator.post(`/businesses/${again}/legal-bases`, consent))
  const cited = await addObservation(operator, again)
  const second = await writeDraft({ ...world, businessId: again, citedId: cited }, { purpose: 'consent_request' })
  expect(second.checks.find(({ key }) => key === 'caps')).toMatchObject({
    result: 'fail',
    message: expect.stringContaining('once'),
  })
})

test('the cap of a recipient counts copies from before an erasure', async () => {
  const world = await draftsWorld()
  const { administrator, operator, businessId } = world
  const draft = await approvedDraft(world)
  expect(await outcomeOf(operator, draft)).toBe(201)
  await sent(administrator.post(`/businesses/${businessId}/erasure`, { reason: 'They asked.', suppress: false }))
  const again = await addProspect(operator, EMAIL)
  const second = await writeDraft({ ...world, businessId: again, citedId: await addObservation(operator, again) })
  expect(second.caps.recipient).toMatchObject({ used: 1, most: 2 })
})

test('a request is withdrawn by its author or rejected with a reason, and a closed draft takes no change', async () => {
  const world = await draftsWorld()
  const { manager, operator } = world
  const asked = await requestApproval(world, await writeDraft(world))
  const path = `/drafts/${asked.id}`
  const withdrawn = await sent(operator.post<Draft>(`${path}/withdrawal`, {}))
  expect(withdrawn.state).toBe('writing')
  await requestApproval(world, withdrawn)
  expect((await manager.post(`${path}/rejections`, {})).status).toBe(400)
  expect((await operator.post(`${path}/rejections`, { reason: 'Mine.' })).status).toBe(403)
  const other = { reason: 'Too long.', contentHash: 'b'.repeat(64) }
  expect((await manager.post<Problem>(`${path}/rejections`, other)).body.code).toBe('draft_changed')
  const { contentHash } = withdrawn
  const rejected = await sent(manager.post<Draft>(`${path}/rejections`, { reason: 'Too long.', contentHash }))
  expect([rejected.state, rejected.history[0]]).toMatchObject(['writing', { kind: 'rejected', reason: 'Too long.' }])
  const closed = await sent(operator.post<Draft>(`${path}/closure`, { reason: 'No longer needed.' }))
  expect(closed.state).toBe('closed')
  const late = [
    await operator.patch<Problem>(path, { text: 'Late.' }, { 'if-match': '"1"' }),
    await operator.post<Problem>(`${path}/approval-requests`, seenOf(closed)),
    await operator.post<Problem>(`${path}/closure`, { reason: 'Again.' }),
  ]
  expect(late.map(({ status, body: { code } }) => [status, code])).toEqual(Array(3).fill([409, 'draft_not_open']))
})

test('a request is refused with each check that blocks, and a change of what is in review ends the request', async () => {
  const world = await draftsWorld()
  const { operator, businessId, basisId } = world
  const bare = await writeDraft(world, { text: 'Hello {{business.city|there}} [^1].', subject: null })
  const refused = await operator.post<Problem>(`/drafts/${bare.id}/approval-requests`, seenOf(bare))
  expect(refused).toMatchObject({ status: 422, body: { code: 'checks_failed' } })
  expect(refused.body.errors?.map(({ path }) => path)).toEqual(['citations', 'content'])
  const asked = await requestApproval(world, await writeDraft(world))
  await sent(operator.post(`/businesses/${businessId}/legal-bases/${basisId}/withdrawal`, { reason: 'They called.' }))
  const judged = await readDraft(world, asked.id)
  expect([judged.state, judged.stale?.causes[0]?.code]).toEqual(['needs_review', 'legal_basis'])
})

test('a prospect has at most 20 open drafts, and a draft at most 100 versions', { timeout: 60_000 }, async () => {
  const world = await draftsWorld()
  const { operator } = world
  const first = await writeDraft(world)
  for (let number = 1; number < limits.openDraftsOfBusiness; number++) await writeDraft(world)
  expect(await operator.post('/drafts', draftBody(world))).toMatchObject({
    status: 422,
    body: {
      code: 'too_many_drafts',
      limit: 'open_drafts',
      detail: 'This prospect has 20 open drafts; the limit is 20. Close one of these drafts first.',
    },
  })
  const save = (number: number) =>
    operator.patch<Problem>(`/drafts/${first.id}`, { subject: `Version ${number}` }, { 'if-match': `"${number - 1}"` })
  for (let number = 2; number <= limits.versionsOfDraft; number++) expect((await save(number)).status).toBe(200)
  expect(await save(limits.versionsOfDraft + 1)).toMatchObject({
    status: 422,
    body: { code: 'limit_reached', limit: 'draft_versions', size: 100, max: 100 },
  })
})

test('every refused copy is audited, and none stores a copy', async () => {
  const world = await draftsWorld()
  const draft = await writeDraft(world)
  const changes = await world.t.changes(() =>
    askCopy(world.operator, { ...draft, versions: { ...draft.versions, policy: 'x' } }),
  )
  expect(changes).toEqual({ audit_events: 1 })
  const { items } = await sent(world.administrator.get<ListPage<AuditEvent>>('/audit-events?action=draft.copy_refused'))
  expect(items[0]).toMatchObject({ subject: { id: draft.id }, after: { code: 'approval_ended' } })
})

test('a reader without the permission to see values sees no text of a do not contact prospect', async () => {
  const world = await draftsWorld()
  const draft = await writeDraft(world)
  await sent(world.operator.post(`/businesses/${world.businessId}/do-not-contact`, { reason: 'They asked.' }))
  const seen = await sent(world.viewer.get<Draft>(`/drafts/${draft.id}`))
  expect([seen.textHidden, seen.rendered, seen.title]).toEqual([true, null, '•••'])
  const all: unknown[] = [
    seen,
    await world.viewer.get('/drafts'),
    await world.viewer.get(`/drafts/${draft.id}/versions`),
  ]
  all.push(await world.viewer.get(`/businesses/${world.businessId}/legal-bases`))
  expect(JSON.stringify(all)).not.toMatch(/windpumps|karoo-pumps|First letter|Folder 7/)
})
