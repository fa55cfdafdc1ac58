import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { createProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import type { FilterDefaults, SavedFilter } from '../filters/filters.schema.ts'
import type { ReviewQueuePage } from '../queue/queue.schema.ts'
import { reviewWorld } from './review-world.ts'

type Body = Record<string, unknown>
const isNew = [{ field: 'state', op: 'any_of', values: ['new'] }]

async function save(client: TestClient, body: Body = {}): Promise<SavedFilter> {
  const { status, body: saved } = await client.post<SavedFilter>('/saved-filters', {
    desk: 'review',
    name: 'Mine',
    filter: isNew,
    ...body,
  })
  if (status !== 201) throw new Error(`A filter was answered ${status}: ${JSON.stringify(saved)}`)
  return saved
}

const change = (client: TestClient, { id, version }: SavedFilter, body: Body) =>
  client.patch<SavedFilter & Refusal>(`/saved-filters/${id}`, body, { 'if-match': `"${version}"` })

test('a filter is private, then shared, then locked: each with its own people', async () => {
  const { t, operator, manager } = await reviewWorld()
  const viewer = await t.as('viewer')
  const mine = await save(operator)
  expect((await manager.get(`/saved-filters/${mine.id}`)).status).toBe(404)
  expect(
    (await viewer.post('/saved-filters', { desk: 'review', name: 'V', filter: [], sharing: 'tenant' })).status,
  ).toBe(403)
  const shared = (await change(operator, mine, { sharing: 'tenant' })).body
  expect((await manager.get<SavedFilter>(`/saved-filters/${mine.id}`)).body).toMatchObject({ mayChange: false })
  expect((await change(manager, shared, { name: 'Taken' })).body.code).toBe('permission_denied')
  expect((await operator.post(`/saved-filters/${mine.id}/lock`)).status).toBe(403)
  const locked = (await manager.post<SavedFilter>(`/saved-filters/${mine.id}/lock`)).body
  expect((await change(operator, locked, { name: 'Again' })).body.code).toBe('filter_locked')
  expect((await operator.delete<Refusal>(`/saved-filters/${mine.id}`)).body.code).toBe('filter_locked')
  const renamed = (await change(manager, locked, { name: 'Ours' })).body
  expect(renamed).toMatchObject({ name: 'Ours', isLocked: true })
  expect((await manager.delete<SavedFilter>(`/saved-filters/${mine.id}/lock`)).body.isLocked).toBe(false)
  expect((await operator.delete(`/saved-filters/${mine.id}`)).status).toBe(204)
  expect((await operator.get(`/saved-filters/${mine.id}`)).status).toBe(404)
})

test('filters are listed by name, then id, and names are unique for their owner', async () => {
  const { operator, manager } = await reviewWorld()
  for (const name of ['Zebra', 'apple', 'Mango']) await save(operator, { name })
  await save(manager, { name: 'Banana', sharing: 'tenant' })
  await save(manager, { name: 'Hidden' })
  const names = (await walk<SavedFilter>(operator, '/saved-filters', 2)).map(({ name }) => name)
  expect(names).toEqual(['apple', 'Banana', 'Mango', 'Zebra'])
  const again = await operator.post<Refusal>('/saved-filters', { desk: 'review', name: 'MANGO', filter: [] })
  expect([again.status, again.body.code]).toEqual([409, 'conflict'])
})

test('a filter with an unknown field or beyond its bounds is rejected', async () => {
  const { t, operator } = await reviewWorld()
  const bodies = [
    { filter: [{ field: 'colour', op: 'any_of', values: ['red'] }] },
    { filter: [{ field: 'state', op: 'contains', values: ['new'] }] },
    { filter: [{ field: 'state', op: 'any_of', values: [] }] },
    { filter: Array.from({ length: 21 }, () => isNew[0]) },
    { filter: [...isNew, { field: 'tag', op: 'any_of', values: Array.from({ length: 21 }, (_, at) => `t${at}`) }] },
    { name: 'x'.repeat(101) },
  ]
  const changes = await t.changes(async () => {
    for (const body of bodies) {
      const { status } = await operator.post('/saved-filters', { desk: 'review', name: 'N', filter: [], ...body })
      expect(status).toBe(400)
    }
  })
  expect(changes).toEqual({})
})

test('a person has at most 100 filters, and a workspace shares at most 200', async () => {
  const { t, operator } = await reviewWorld()
  const { id, operator: me } = { id: t.tenants.home.id, operator: t.tenants.home.users.operator.id }
  await save(operator)
  await t.store.write({ tenantId: id }, async (db) => {
    const row = await db.selectFrom('saved_filters').selectAll().executeTakeFirstOrThrow()
    for (let at = 1; at < 100; at++)
      await db
        .insertInto('saved_filters')
        .values({ ...row, id: `f${at}`, name: `f${at}`, name_key: `f${at}` })
        .execute()
    return { keep: true, value: me }
  })
  const { status, body } = await operator.post<Refusal>('/saved-filters', {
    desk: 'review',
    name: 'One more',
    filter: [],
  })
  expect([status, body.code]).toEqual([422, 'too_many_filters'])
})

test('a saved filter is applied for the person who looks, and says what of it was removed', async () => {
  const { t, operator, manager } = await reviewWorld()
  const { operator: one, manager: other } = t.tenants.home.users
  const [ofOperator, ofManager] = [
    await createProspect(operator, { assigneeId: one.id }),
    await createProspect(operator, { assigneeId: other.id }),
  ]
  const { id } = await save(operator, {
    sharing: 'tenant',
    filter: [{ field: 'assignee', op: 'any_of', values: ['me'] }],
  })
  const idsFor = async (client: TestClient) =>
    (await client.get<ReviewQueuePage>(`/review-queue?filterId=${id}`)).body.items.map((row) => row.id)
  expect([await idsFor(operator), await idsFor(manager)]).toEqual([[ofOperator.id], [ofManager.id]])
  const gone = await save(operator, { name: 'Gone', filter: [{ field: 'tag', op: 'none_of', values: ['Gone'] }] })
  expect(gone.problems).toEqual([])
  expect(gone.removed).toEqual([{ field: 'tag', value: 'Gone', name: null, effect: 'matches_nothing' }])
  const { body } = await operator.get<ReviewQueuePage>(`/review-queue?filterId=${gone.id}`)
  expect([body.items, body.page.total?.value]).toEqual([[], 0])
})

test('a filter that cannot be read opens with its problems, is not applied, and is repaired by saving it', async () => {
  const { t, operator } = await reviewWorld()
  const saved = await save(operator)
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    const conditions = JSON.stringify([...isNew, { field: 'colour', op: 'any_of', values: ['red'] }])
    await db.updateTable('saved_filters').set({ conditions }).execute()
    return { keep: true, value: undefined }
  })
  const { body: read } = await operator.get<SavedFilter>(`/saved-filters/${saved.id}`)
  expect(read).toMatchObject({ filter: isNew, problems: [{ field: 'colour', problem: 'unreadable' }] })
  const refused = await operator.get<Refusal>(`/review-queue?filterId=${saved.id}`)
  expect([refused.status, refused.body.code]).toEqual([422, 'filter_unreadable'])
  expect((await change(operator, saved, { filter: read.filter })).body.problems).toEqual([])
  expect((await operator.get(`/review-queue?filterId=${saved.id}`)).status).toBe(200)
})

test('a deleted default falls back, and only those who manage filters set those of the workspace', async () => {
  const { operator, manager } = await reviewWorld()
  const own = await save(operator)
  const shared = await save(manager, { name: 'Ours', sharing: 'tenant' })
  const set = (client: TestClient, body: Body, version = 0) =>
    client.put<FilterDefaults & Refusal>(
      '/saved-filters/defaults',
      { prospects: null, ...body },
      { 'if-match': `"${version}"` },
    )
  expect((await set(operator, { scope: 'tenant', review: own.id })).status).toBe(403)
  expect((await set(manager, { scope: 'tenant', review: own.id })).status).toBe(404)
  expect((await set(manager, { scope: 'tenant', review: shared.id })).status).toBe(200)
  expect((await set(operator, { review: own.id })).body).toMatchObject({
    own: { review: own.id },
    tenant: { review: shared.id },
  })
  expect((await set(operator, { prospects: own.id, review: null }, 1)).body.code).toBe('invalid_request')
  await operator.delete(`/saved-filters/${own.id}`)
  expect((await operator.get<FilterDefaults>('/saved-filters/defaults')).body).toMatchObject({
    own: { review: null },
    tenant: { review: shared.id },
  })
})

test('a manager takes over the shared filter of a person who left, and of nobody else', async () => {
  const { t, operator, manager } = await reviewWorld()
  const shared = await save(operator, { sharing: 'tenant' })
  expect((await change(manager, shared, { takeOver: true })).body.code).toBe('conflict')
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    const { id } = t.tenants.home.users.operator
    await db.updateTable('memberships').set({ status: 'disabled' }).where('user_id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  expect((await manager.get<SavedFilter>(`/saved-filters/${shared.id}`)).body.ownerLeft).toBe(true)
  const { body } = await change(manager, shared, { takeOver: true })
  expect(body).toMatchObject({ ownerLeft: false, mayChange: true })
})

test('an erasure empties the searches and tags that nobody else holds, and such a filter is not applied', async () => {
  const { t, operator } = await reviewWorld()
  const administrator = await t.as('administrator')
  const { id } = await createProspect(operator, { name: 'Quagga Springs', tags: ['Quagga'] })
  await createProspect(operator, { name: 'Karoo', tags: ['Farm'] })
  const search = (value: string) => [{ field: 'q', op: 'contains', values: [value] }]
  const gone = await save(operator, { name: 'A', filter: search('quagga') })
  const tagged = await save(operator, { name: 'B', filter: [{ field: 'tag', op: 'any_of', values: ['Quagga'] }] })
  const kept = await save(operator, { name: 'C', filter: search('karoo') })
  await operator.post(`/businesses/${id}/people`, { name: 'Thandi Karoo', role: 'Quagga buyer' })
  const person = [{ field: 'person', op: 'contains', values: ['karoo'] }]
  const named = await save(operator, { name: 'D', filter: person })
  const role = await save(operator, { name: 'E', filter: [{ field: 'role', op: 'contains', values: ['buyer'] }] })
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
  const read = async (of: SavedFilter) => (await operator.get<SavedFilter>(`/saved-filters/${of.id}`)).body
  expect((await read(gone)).problems).toEqual([{ field: 'q', problem: 'erased' }])
  expect((await read(tagged)).problems).toEqual([{ field: 'tag', problem: 'erased' }])
  expect((await read(named)).problems).toEqual([{ field: 'person', problem: 'erased' }])
  expect((await read(role)).problems).toEqual([{ field: 'role', problem: 'erased' }])
  expect((await read(kept)).filter).toEqual(search('karoo'))
  expect((await operator.get<Refusal>(`/review-queue?filterId=${gone.id}`)).body.code).toBe('filter_unreadable')
})
