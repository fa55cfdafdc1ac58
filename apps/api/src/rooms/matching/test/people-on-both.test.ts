import { expect, test } from 'vitest'
import { suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect } from '../../../../test/prospects.ts'
import type { PeopleOnBoth } from '../../people/people.schema.ts'
import { peopleWorld, thandi } from '../../people/test/people-world.ts'
import type { SuggestionSummary } from '../matching.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

/** Values that make two records a possible duplicate. */
const duplicate = {
  name: 'Karoo Windpumps',
  registrationNumber: '2011/123456/07',
  address: { street: '1 Kerk St', city: 'Prieska' },
}

test('equal people of two records are shown with the suggestion and change neither its score nor its reasons', async () => {
  const { t, operator, administrator, viewer, added, block } = await peopleWorld()
  const { id: a } = await createProspect(operator, duplicate)
  const { id: b } = await createProspect(operator, duplicate)
  await followChanges(t.store)
  const before = await suggestionOfPair(administrator, a, b)
  const { id: first } = await added(a)
  const { id: second } = await added(b, { ...thandi, name: 'NKOSI Thandi', emails: [], role: null })
  await added(b, { name: 'Zola' })
  await followChanges(t.store)
  const after = await suggestionOfPair(administrator, a, b)
  expect([after.score, after.reasons]).toEqual([before.score, before.reasons])
  const read = async (client = operator) =>
    (await client.get<PeopleOnBoth>(`/match-suggestions/${after.id}/people`)).body
  const ids = new Map([
    [a, first],
    [b, second],
  ])
  const { items, isComplete } = await read()
  expect(isComplete).toBe(true)
  expect(items).toHaveLength(1)
  expect(items[0]?.because.toSorted()).toEqual(['phone'])
  expect(items[0]?.people.map(({ id }) => id)).toEqual(after.businesses.map(({ id }) => ids.get(id)))
  expect(JSON.stringify(await read(viewer))).toContain('Thandi')
  await block(second)
  expect(JSON.stringify(await read(viewer))).not.toContain('NKOSI')
  expect(JSON.stringify(await read(viewer))).toContain('Thandi Nkosi')
})

test('equal people alone are no suggestion', async () => {
  const { t, operator, administrator, added } = await peopleWorld()
  const { id: a } = await createProspect(operator, { name: 'Hantam Fencing', address: { city: 'Calvinia' } })
  const { id: b } = await createProspect(operator, { name: 'Delta Electrical', address: { city: 'Durban' } })
  for (const id of [a, b]) await added(id)
  await followChanges(t.store)
  const { body } = await administrator.get<{ items: SuggestionSummary[] }>(`/match-suggestions?businessId=${a}`)
  expect(body.items).toEqual([])
})

test('the people of an unknown suggestion, and of one of another tenant, are not found', async () => {
  const { t, operator } = await peopleWorld()
  const { id: a } = await createProspect(operator, duplicate)
  const { id: b } = await createProspect(operator, duplicate)
  await followChanges(t.store)
  const { id } = await suggestionOfPair(await t.as('administrator'), a, b)
  const stranger = await t.as('administrator', 'other')
  expect((await stranger.get(`/match-suggestions/${id}/people`)).status).toBe(404)
  expect((await operator.get('/match-suggestions/unknown/people')).status).toBe(404)
})
