import { expect, test } from 'vitest'
import type { Answer, TestClient } from '../../../../test/build-app.ts'
import { failedApprovals } from '../../../../test/failed-approvals.ts'
import { type ListPage, type Refusal, walk } from '../../../../test/prospects.ts'
import { adaptersOf, REASON, sourceWorld } from '../../../../test/source-world.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { recordAllLapses } from '../registry/record-lapses.ts'
import type { Desks, HistoryItem, Source } from '../sources.schema.ts'
import { CSV_SOURCE_ID, MANUAL_SOURCE_ID } from '../sources.table.ts'

const code = ({ status, body }: Answer<unknown>) => [status, (body as Refusal).code]

test('from a draft to an enabled source: three desks approve, and a fourth person enables it', async () => {
  const world = await sourceWorld()
  const { id } = await world.propose({ contract: {} })
  expect(await world.read(id)).toMatchObject({ status: 'incomplete', contractVersion: 1, circuit: { state: 'closed' } })
  await world.author.post(`/sources/${id}/versions`, { contract: world.wholeContract(), basedOn: 1 })
  expect(await world.read(id)).toMatchObject({ status: 'awaiting_approval', contractVersion: 2 })
  for (const desk of ['product', 'legal', 'security'] as const) expect((await world.approve(id, desk)).status).toBe(200)
  expect(await world.read(id)).toMatchObject({ status: 'approved', openItems: [], approvals: [{}, {}, {}] })
  const { status, body } = await world.enable(id)
  expect([status, body]).toMatchObject([200, { status: 'enabled', enabledUntil: world.inDays(60) }])
  const history = await walk<HistoryItem>(world.author, `/sources/${id}/history`)
  expect(history.map(({ kind }) => kind).toSorted()).toEqual(
    ['approval', 'approval', 'approval', 'enablement', 'version', 'version'].toSorted(),
  )
  const events = await walk<AuditEvent>(world.administrator, '/audit-events?subjectType=source', 100)
  expect(events.map(({ action }) => action)).toEqual([
    'source.enable',
    'source.approve',
    'source.approve',
    'source.approve',
    'source.new_version',
    'source.create',
  ])
})

test('the author neither approves nor enables, and nobody approves for two desks or for a desk without a designation', async () => {
  const world = await sourceWorld()
  const { id, fingerprint } = await world.propose()
  const { body: before } = await world.administrator.get<Desks>('/source-desks')
  const { home } = world.t.tenants
  const everyone = [...before.product, ...before.legal, ...before.security].map(({ id: userId }) => userId)
  const desks = { product: [...everyone, home.users.manager.id], legal: everyone, security: [everyone[2]] }
  await world.administrator.put('/source-desks', desks, { 'if-match': `"${before.version}"` })
  const approve = (client: TestClient, desk: string) =>
    client.post(`/sources/${id}/approvals`, {
      desk,
      decision: 'approve',
      fingerprint,
      reason: REASON,
      endsAt: world.inDays(30),
    })
  expect(code(await approve(world.author, 'product'))).toEqual([422, 'own_approval'])
  expect(code(await approve(world.desk.product, 'security'))).toEqual([422, 'desk_required'])
  expect((await approve(world.desk.product, 'product')).status).toBe(200)
  expect(code(await approve(world.desk.product, 'legal'))).toEqual([422, 'approver_not_distinct'])
  expect(code(await approve(world.desk.legal, 'product'))).toEqual([409, 'conflict'])
  expect((await approve(world.desk.legal, 'legal')).status).toBe(200)
  expect((await approve(world.desk.security, 'security')).status).toBe(200)
  const enable = (client: TestClient) =>
    client.post(`/sources/${id}/enablement`, { fingerprint, reason: REASON, endsAt: world.inDays(30) })
  expect(code(await enable(world.author))).toEqual([422, 'own_approval'])
  expect((await enable(world.desk.legal)).status).toBe(200)
  expect(await failedApprovals(world.t)).toEqual([
    ['approveSource', 'own_approval'],
    ['approveSource', 'desk_required'],
    ['approveSource', 'approver_not_distinct'],
    ['approveSource', 'conflict'],
    ['enableSource', 'own_approval'],
  ])
})

test('of two concurrent approvals of one desk one counts', async () => {
  const world = await sourceWorld()
  const { id } = await world.propose()
  const answers = await Promise.all([world.approve(id, 'legal'), world.approve(id, 'legal')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('an approval names the fingerprint that was seen, ends within 366 days, and requires a complete version', async () => {
  const world = await sourceWorld()
  const { id } = await world.propose()
  expect(code(await world.approve(id, 'legal', { fingerprint: 'another' }))).toEqual([409, 'source_changed'])
  expect(code(await world.approve(id, 'legal', { endsAt: world.inDays(367) }))).toEqual([400, 'invalid_request'])
  expect(code(await world.approve(id, 'legal', { endsAt: world.inDays(0) }))).toEqual([400, 'invalid_request'])
  expect(code(await world.approve(id, 'legal', { endsAt: undefined }))).toEqual([400, 'invalid_request'])
  const draft = await world.propose({ contract: {} })
  expect(code(await world.approve(draft.id, 'legal'))).toEqual([422, 'source_incomplete'])
  const absent = await world.propose({ adapter: { id: 'absent', version: '1' } })
  expect(code(await world.approve(absent.id, 'legal'))).toEqual([422, 'source_incomplete'])
  expect(code(await world.enable(absent.id))).toEqual([422, 'source_not_approved'])
  expect(code(await world.enable(draft.id))).toEqual([422, 'source_incomplete'])
})

test('a rejection ends a version permanently; a new version starts again', async () => {
  const world = await sourceWorld()
  const { id } = await world.propose()
  expect((await world.approve(id, 'legal', { decision: 'reject', endsAt: undefined })).status).toBe(200)
  expect(await world.read(id)).toMatchObject({ status: 'rejected' })
  expect(code(await world.approve(id, 'product'))).toEqual([409, 'conflict'])
  await world.author.post(`/sources/${id}/versions`, { contract: world.wholeContract() })
  expect(await world.read(id)).toMatchObject({ status: 'awaiting_approval', contractVersion: 2 })
})

test('an enablement ends within 90 days and is refused while an approval is missing', async () => {
  const world = await sourceWorld()
  const { id } = await world.propose()
  await world.approve(id, 'product')
  expect(code(await world.enable(id))).toEqual([422, 'source_not_approved'])
  await world.approve(id, 'legal')
  await world.approve(id, 'security')
  expect(code(await world.enable(id, { endsAt: world.inDays(91) }))).toEqual([400, 'invalid_request'])
  expect((await world.enable(id)).status).toBe(200)
})

test('approvals and the enablement require a recent proof of identity', async () => {
  const world = await sourceWorld()
  const { id, fingerprint } = await world.propose()
  world.t.clock.advance(3_600_000)
  const body = { fingerprint, reason: REASON, endsAt: world.inDays(30) }
  const approval = { ...body, desk: 'legal', decision: 'approve' }
  expect(code(await world.desk.legal.post(`/sources/${id}/approvals`, approval))).toEqual([403, 'step_up_required'])
  expect(code(await world.administrator.post(`/sources/${id}/enablement`, body))).toEqual([403, 'step_up_required'])
})

test('a new version of the contract has no approvals and disables the source', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  await world.author.post(`/sources/${id}/versions`, { contract: world.wholeContract({ concurrency: 3 }) })
  expect(await world.read(id)).toMatchObject({ status: 'awaiting_approval', approvals: [], enabledUntil: null })
  const stale = await world.author.post(`/sources/${id}/versions`, { contract: world.wholeContract(), basedOn: 1 })
  expect(code(stale)).toEqual([409, 'source_changed'])
})

test('revoking an approval lapses the source at once, and the desk may approve again', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const { approvals } = await world.read(id)
  const decisionId = approvals.find(({ desk }) => desk === 'legal')?.decisionId
  const revoke = () =>
    world.administrator.post(`/sources/${id}/revocations`, { decisionId, reason: 'The agreement ended.' })
  expect((await revoke()).status).toBe(200)
  expect(await world.read(id)).toMatchObject({
    status: 'lapsed',
    openItems: [{ item: 'approval.legal', problem: 'revoked', responsible: 'legal' }],
  })
  expect(code(await revoke())).toEqual([409, 'conflict'])
  expect((await world.approve(id, 'legal')).status).toBe(200)
  expect(await world.read(id)).toMatchObject({ status: 'approved' })
})

test('a lapse by a missing adapter is recorded at the start, and loading the adapter again does not enable the source', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const { store } = world.t
  expect(await recordAllLapses({ store, adapters: world.adapters })).toBe(0)
  expect(await recordAllLapses({ store, adapters: { file: null, items: [] } })).toBe(1)
  expect(await world.read(id)).toMatchObject({ status: 'approved', openItems: [] })
  expect((await world.enable(id)).body).toMatchObject({ status: 'enabled' })
  // A different ADAPTERS_FILE changes the fingerprint, to which the enablement is bound.
  expect(await recordAllLapses({ store, adapters: adaptersOf(world.fixture, 'b'.repeat(64)) })).toBe(1)
  expect(await recordAllLapses({ store, adapters: adaptersOf(world.fixture, 'b'.repeat(64)) })).toBe(0)
})

test('removing and re-adding the terms owner ends the enablement', async () => {
  const world = await sourceWorld()
  const owner = world.t.tenants.home.users.viewer.id
  const terms = { ownerId: owner, reference: 'Agreement', reviewDueOn: world.inDays(100).slice(0, 10) }
  const { id } = await world.enabled({ terms })
  const member = (await world.administrator.get(`/users/${owner}`)).headers.etag
  const edit = (status: string, tag: unknown) =>
    world.administrator.patch(`/users/${owner}`, { status }, { 'if-match': String(tag) })
  const { headers } = await edit('disabled', member)
  expect(await world.read(id)).toMatchObject({ status: 'lapsed', openItems: [{ item: 'terms_owner' }] })
  await edit('active', headers.etag)
  expect(await world.read(id)).toMatchObject({ status: 'approved', openItems: [] })
})

test('a terms owner must be a member of this workspace', async () => {
  const world = await sourceWorld()
  const { administrator } = world.t.tenants.other.users
  const terms = { ownerId: administrator.id, reference: 'Agreement', reviewDueOn: world.inDays(100).slice(0, 10) }
  const adapter = { id: 'fixture', version: '1.0.0' }
  const body = { slug: 'foreign', name: 'Foreign', adapter, contract: { terms } }
  const changes = await world.t.changes(async () => {
    expect(code(await world.author.post('/sources', body))).toEqual([422, 'terms_owner_not_a_member'])
  })
  expect(changes).toEqual({})
})

test('terms whose review is due in a mistyped year are refused', async () => {
  const world = await sourceWorld()
  const terms = { ownerId: world.t.tenants.home.users.viewer.id, reference: 'Agreement', reviewDueOn: '0027-06-01' }
  const adapter = { id: 'fixture', version: '1.0.0' }
  const { status, body } = await world.author.post<Refusal>('/sources', {
    slug: 'year',
    name: 'Year',
    adapter,
    contract: { terms },
  })
  expect([status, body.errors]).toMatchObject([400, [{ path: 'contract.terms.reviewDueOn', code: 'too_early' }]])
})

test('desks are designated based on a version, and only from members', async () => {
  const world = await sourceWorld()
  const { home, other } = world.t.tenants
  const desks = { product: [home.users.operator.id], legal: [], security: [] }
  const put = (body: unknown, tag: string) => world.administrator.put('/source-desks', body, { 'if-match': tag })
  expect(code(await put(desks, '"0"'))).toEqual([412, 'version_conflict'])
  expect(code(await put({ ...desks, legal: [other.users.administrator.id] }, '"1"'))).toEqual([404, 'not_found'])
  expect(await put(desks, '"1"')).toMatchObject({
    status: 200,
    body: { version: 2, product: [{ name: 'Home operator', isActive: true }], legal: [] },
  })
})

test('built-in entries exist in every tenant and are neither approved nor enabled', async () => {
  const world = await sourceWorld()
  for (const client of [world.author, await world.t.as('manager', 'other')]) {
    const { items } = (await client.get<ListPage<Source>>('/sources')).body
    expect(items.map(({ slug, kind, status, adapter }) => [slug, kind, status, adapter])).toEqual([
      ['csv', 'built_in', 'enabled', null],
      ['manual', 'built_in', 'enabled', null],
    ])
  }
  const body = { fingerprint: '', reason: REASON, endsAt: world.inDays(1) }
  expect(code(await world.administrator.post(`/sources/${MANUAL_SOURCE_ID}/enablement`, body))).toEqual([
    409,
    'conflict',
  ])
  const version = (contract: object) => world.author.post(`/sources/${CSV_SOURCE_ID}/versions`, { contract })
  expect((await version({ rawRetention: 'none' })).body).toMatchObject({ contract: { rawRetention: 'none' } })
  expect(code(await version({ rawRetention: 'none', concurrency: 1 }))).toEqual([400, 'invalid_request'])
})

test('lists filter by status, by the next step of the reader and by upcoming ends, page by page', async () => {
  const world = await sourceWorld()
  const waiting = await world.propose()
  const soon = await world.enabled()
  await world.enable(soon.id, { endsAt: world.inDays(10) })
  await world.propose({ contract: {} })
  const slugs = async (client: TestClient, query: string) =>
    (await walk<Source>(client, `/sources?${query}`, 1)).map(({ id }) => id)
  expect(await slugs(world.desk.legal, 'waitingForMe=true')).toEqual([waiting.id])
  expect(await slugs(world.administrator, 'waitingForMe=true')).toEqual([])
  expect(await slugs(world.author, 'endsWithinDays=30')).toEqual([soon.id])
  expect(await slugs(world.author, 'status=awaiting_approval')).toEqual([waiting.id])
  expect(await slugs(world.author, 'status=rejected')).toEqual([])
})

test('a withdrawn source stays withdrawn', async () => {
  const world = await sourceWorld()
  const { id, fingerprint } = await world.enabled()
  const withdraw = () => world.administrator.post(`/sources/${id}/withdrawal`, { reason: 'No longer needed.' })
  expect((await withdraw()).body).toMatchObject({ status: 'withdrawn' })
  expect(code(await withdraw())).toEqual([409, 'conflict'])
  expect(code(await world.enable(id, { fingerprint }))).toEqual([409, 'conflict'])
  expect(code(await world.author.post(`/sources/${id}/versions`, { contract: {} }))).toEqual([409, 'conflict'])
})

test('a contract accepts only properties of its schema: no address, command or selector', async () => {
  const world = await sourceWorld()
  for (const extra of [
    { url: 'https://provider.example' },
    { command: 'curl' },
    { settings: { url: 'https://x.example' } },
  ]) {
    const body = { slug: 'extra', name: 'Extra', adapter: { id: 'fixture', version: '1.0.0' }, contract: extra }
    expect(code(await world.author.post('/sources', body))).toEqual([400, 'invalid_request'])
  }
})
