import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { askMerge, merged, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, type ListPage, type Problem, walk } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import { findBusinessesByText } from '../../businesses/businesses.ts'
import { permissionsOf } from '../../identity/permissions.ts'
import type { SuggestionSummary } from '../matching.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

const phone = (value: string) => [{ value, region: 'ZA' }]
const pairs = [
  { name: 'Karoo Windpumps', phones: phone('041 555 0101'), address: { street: '12 Main Road', city: 'Gqeberha' } },
  { name: 'Karoo Wind Pumps', phones: phone('041 555 0101'), address: { street: '12 Main Road', city: 'Gqeberha' } },
  { name: 'Boland Bakery', phones: phone('021 555 0199'), address: { street: '3 Dorp Street', city: 'Paarl' } },
  { name: 'Boland Bakkery', phones: phone('021 555 0199'), address: { street: '3 Dorp Street', city: 'Paarl' } },
]

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const records = []
  for (const pair of pairs) records.push(await createProspect(operator, pair))
  await followChanges(t.store)
  const found = async (client: TestClient, q: string, status = 'open') =>
    (await walk<SuggestionSummary>(client, `/match-suggestions?status=${status}&q=${encodeURIComponent(q)}`, 1)).map(
      ({ businesses }) => businesses.map(({ name }) => name).toSorted(),
    )
  return { t, operator, records, found }
}

test('a text finds the pairs in which either record contains it, without duplicates, in pages', async () => {
  const { operator, found } = await setUp()
  const karoo = ['Karoo Wind Pumps', 'Karoo Windpumps']
  expect(await found(operator, 'KAROO')).toEqual([karoo])
  expect(await found(operator, 'windpumps')).toEqual([karoo])
  for (const spelling of ['Wind-Pumps', 'Karoo Windpumps (Pty) Ltd', 'tel:+27415550101', 'Karoo “Windpumps”'])
    expect([spelling, await found(operator, spelling)]).toEqual([spelling, [karoo]])
  expect(await found(operator, '041 555 0101')).toEqual([karoo])
  expect(await found(operator, '555')).toHaveLength(2)
  expect(await found(operator, 'nowhere')).toEqual([])
})

test('another tenant finds no pair', async () => {
  const { t, found } = await setUp()
  expect(await found(await t.as('operator', 'other'), 'karoo')).toEqual([])
})

test('a reader who may not see contact values finds a do not contact record by its name only', async () => {
  const { t, operator, records, found } = await setUp()
  for (const { id } of records.slice(0, 2))
    await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const viewer = await t.as('viewer')
  expect(await found(viewer, '041 555 0101')).toEqual([])
  expect(await found(viewer, 'karoo')).toHaveLength(1)
  expect(await found(operator, '041 555 0101')).toHaveLength(1)
})

test('records merged into it do not reveal the values either', async () => {
  const { t, operator, records, found } = await setUp()
  const [survivor = '', loser = ''] = records.map(({ id }) => id)
  await merged(askMerge(await t.as('administrator'), await suggestionOfPair(operator, survivor, loser), survivor))
  await operator.post(`/businesses/${survivor}/do-not-contact`, { reason: 'They asked.' })
  const viewer = await t.as('viewer')
  expect(await found(viewer, '041 555 0101', 'merged')).toEqual([])
  expect(await found(viewer, 'karoo', 'merged')).toHaveLength(1)
  expect(await found(operator, '041 555 0101', 'merged')).toHaveLength(1)
})

test('a short text, or a text together with a record, is refused by name; a cursor is valid for its text only', async () => {
  const { operator, records } = await setUp()
  for (const query of ['q=ka', `q=karoo&businessId=${records[0]?.id}`, 'q=', `q=${'x'.repeat(201)}`]) {
    const { status, body } = await operator.get<Problem>(`/match-suggestions?${query}`)
    expect([query, status, body.errors?.[0]?.path]).toEqual([query, 400, 'q'])
  }
  const { body } = await operator.get<ListPage<unknown>>('/match-suggestions?q=555&limit=1')
  const other = await operator.get<Problem>(`/match-suggestions?q=karoo&limit=1&cursor=${body.page.nextCursor}`)
  expect([other.status, other.body.errors?.[0]?.path]).toEqual([400, 'cursor'])
})

test('a text that finds more than the limit is refused, never truncated', async () => {
  const { t } = await setUp()
  const { id: tenantId, users } = t.tenants.home
  const actor = {
    kind: 'user' as const,
    userId: users.operator.id,
    tenantId,
    correlationId: newId(),
    permissions: permissionsOf('operator'),
  }
  expect(await findBusinessesByText(t.store, actor, 'karoo', 2)).toHaveLength(2)
  await expect(findBusinessesByText(t.store, actor, 'karoo', 1)).rejects.toMatchObject({
    code: 'invalid_request',
    details: { errors: [{ path: 'q', code: 'too_many' }] },
  })
})
