import { expect, test } from 'vitest'
import { createTestToken } from '../../../../test/access-tokens.ts'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { jobWorld, testKind } from '../../../../test/job-world.ts'
import { addNoteTo, createProspect, type Problem } from '../../../../test/prospects.ts'
import { auditEventId } from '../../../store/change/audit-chain.ts'
import { type ChangePage, FEED_DAYS } from '../changes.schema.ts'

const DAY_MS = 86_400_000

async function cursorOfNow(client: TestClient): Promise<string> {
  const { body } = await client.get<ChangePage>('/changes')
  expect(body).toMatchObject({ items: [], hasMore: false })
  return body.nextCursor
}

/** Reads the feed to its end in pages of this size. */
async function readOn(client: TestClient, after: string, limit = 100) {
  const items: ChangePage['items'] = []
  let cursor = after
  for (;;) {
    const { status, body } = await client.get<ChangePage>(`/changes?after=${cursor}&limit=${limit}`)
    expect(status).toBe(200)
    expect(body.items.length).toBeLessThanOrEqual(limit)
    items.push(...body.items)
    cursor = body.nextCursor
    if (!body.hasMore) return { items, cursor }
  }
}

test('the feed lists each change once, in order, with kind, id, prospect, version, time and author, and no value', async () => {
  const t = await buildTestApp()
  const { client, id: tokenId } = await createTestToken(t, { name: 'Nightly copy' })
  const start = await cursorOfNow(client)
  const operator = await t.as('operator')
  const { id } = await createProspect(client, { name: 'Baobab Bakery' })
  await addNoteTo(operator, id)
  const { items, cursor } = await readOn(client, start)
  const author = { kind: 'user', id: t.tenants.home.users.operator.id, name: 'Home operator' }
  const at = t.clock().toISOString()
  expect(items).toMatchObject([
    {
      kind: 'business',
      id,
      businessId: id,
      version: 1,
      at,
      actor: author,
      token: { id: tokenId, name: 'Nightly copy' },
    },
    { kind: 'note', businessId: id, actor: author, token: null },
  ])
  expect(JSON.stringify(items)).not.toContain('Baobab')
  expect(items.at(-1)?.cursor).toBe(cursor)
  expect(await readOn(client, cursor)).toEqual({ items: [], cursor })
})

test('pages of every size contain the same changes, and a cursor of an item continues after it', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const start = await cursorOfNow(operator)
  for (let n = 0; n < 7; n += 1) await createProspect(operator, { name: `Prospect ${n}` })
  const whole = await readOn(operator, start, 1_000)
  expect(whole.items.length).toBeGreaterThanOrEqual(7)
  for (const limit of [1, 2, 3, 7]) expect(await readOn(operator, start, limit)).toEqual(whole)
  for (const [place, { cursor }] of whole.items.entries())
    expect((await readOn(operator, cursor, 2)).items).toEqual(whole.items.slice(place + 1))
})

test('a reader gets the kinds that role and token may read, and no change of another workspace', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const [viewer, blind] = [
    await t.as('viewer'),
    await createTestToken(t, { role: 'manager', permissions: ['notes.read'] }),
  ]
  const [seenAll, seenLess, seenNotes] = [
    await cursorOfNow(manager),
    await cursorOfNow(viewer),
    await cursorOfNow(blind.client),
  ]
  const { id } = await createProspect(manager)
  await addNoteTo(manager, id)
  await manager.post('/suppressions', {
    kind: 'email',
    value: 'no@example.org',
    reason: 'They asked.',
    channel: 'phone',
  })
  await createProspect(await t.as('manager', 'other'), { name: 'Elsewhere' })
  const kindsOf = async (client: TestClient, after: string) =>
    new Set((await readOn(client, after, 1)).items.map(({ kind }) => kind))
  expect(await kindsOf(manager, seenAll)).toEqual(new Set(['business', 'note', 'suppression']))
  expect(await kindsOf(viewer, seenLess)).toEqual(new Set(['business', 'note']))
  expect(await kindsOf(blind.client, seenNotes)).toEqual(new Set(['note']))
})

test('a job is listed for those who may use its kind, with the sequence of its last event', async () => {
  const w = await jobWorld([testKind(async () => undefined)])
  const [operator, viewer] = [await w.t.as('operator'), await w.t.as('viewer')]
  const start = await cursorOfNow(operator)
  await w.create()
  expect((await readOn(operator, start)).items).toMatchObject([{ kind: 'job', businessId: null, version: 1 }])
  expect((await readOn(viewer, start)).items).toEqual([])
})

test('a cursor whose next change is too old has expired, and one without later changes has not', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const start = await cursorOfNow(operator)
  await createProspect(operator)
  const { cursor } = await readOn(operator, start)
  t.clock.advance(FEED_DAYS * DAY_MS + 1)
  const late = t.withSession(
    await t.startSession({ tenantId: t.tenants.home.id, userId: t.tenants.home.users.viewer.id, role: 'viewer' }),
  )
  const { status, body } = await late.get<Problem>(`/changes?after=${start}`)
  expect([status, body.code]).toEqual([409, 'cursor_expired'])
  expect(body.detail).toMatch(/older than 90 days.*Start over/)
  expect((await late.get<ChangePage>(`/changes?after=${cursor}`)).status).toBe(200)
})

test('a cursor beyond the newest event, of another history or of another workspace tells to start over', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const newest = await cursorOfNow(operator)
  const ahead = await operator.get<Problem & { newestSequence: number }>(`/changes?after=${auditEventId(999_999)}`)
  expect([ahead.status, ahead.body.code]).toEqual([409, 'cursor_ahead'])
  const foreign = await cursorOfNow(await t.as('operator', 'other'))
  const sequence = Number.parseInt(newest.slice(24), 16)
  for (const cursor of [auditEventId(sequence), foreign]) {
    const { status, body } = await operator.get<Problem>(`/changes?after=${cursor}`)
    expect([status, body.code]).toEqual([409, 'cursor_expired'])
  }
  for (const query of ['after=1', 'after=', `after=${newest}&limit=0`, `after=${newest}&limit=1001`, 'after=x'])
    expect([query, (await operator.get(`/changes?${query}`)).status]).toEqual([query, 400])
})
