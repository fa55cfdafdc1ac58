import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, endProspect, type ListPage, type Refusal } from '../../../../test/prospects.ts'
import { peopleWorld } from '../../people/test/people-world.ts'
import type { BusinessSummary } from '../prospect-list.schema.ts'

type Condition = { field: string; op: string; values: unknown[] }

async function world() {
  const people = await peopleWorld()
  const { operator, added } = people
  const ask = (condition: Condition, client: TestClient = operator) =>
    client.get<ListPage<BusinessSummary> & Refusal>(
      `/businesses?limit=200&conditions=${encodeURIComponent(JSON.stringify([condition]))}`,
    )
  const namesOf = async (condition: Condition, client?: TestClient) =>
    (await ask(condition, client)).body.items.map(({ name }) => name).toSorted()
  const withPerson = async (name: string, ...bodies: object[]) => {
    const { id } = await createProspect(operator, { name })
    const ids: string[] = []
    for (const body of bodies) ids.push((await added(id, { ...body })).id)
    return { id, people: ids }
  }
  return { ...people, ask, namesOf, withPerson }
}

const person = (...values: string[]): Condition => ({ field: 'person', op: 'contains', values })
const role = (op: string, ...values: string[]): Condition => ({ field: 'role', op, values })
const hasPerson = (value: boolean): Condition => ({ field: 'hasPerson', op: 'any_of', values: [value] })

test('a name is found in any spelling and order, in the names of people only', async () => {
  const { operator, namesOf, withPerson } = await world()
  await withPerson('Karoo', { name: 'Zoë O’Brien', emails: [{ value: 'desk@karoo.co.za' }] }, { name: 'Sipho Dlamini' })
  await withPerson('Tuli', { name: 'Jan-Pieter van Wyk' })
  await createProspect(operator, { name: 'Zoe Motors' })
  expect(await namesOf(person('zoe'))).toEqual(['Karoo'])
  expect(await namesOf(person('OBRIEN zoë'))).toEqual(['Karoo'])
  expect(await namesOf(person('jan pieter'))).toEqual(['Tuli'])
  expect(await namesOf(person('sipho', 'wyk'))).toEqual(['Karoo', 'Tuli'])
  expect(await namesOf(person('desk@karoo'))).toEqual([])
  expect(await namesOf(person('karoo'))).toEqual([])
})

test('a part that is too short for the index, and a hidden value, are refused', async () => {
  const { ask } = await world()
  expect((await ask(person('zo'))).body).toMatchObject({ code: 'invalid_request' })
  expect((await ask(person('•••'))).body).toMatchObject({ code: 'invalid_request' })
  expect((await ask(role('contains', '•••'))).body).toMatchObject({ code: 'invalid_request' })
})

test('a person who left is found by name, and is neither a person to ask for nor counts for the role', async () => {
  const { operator, namesOf, withPerson, editPerson } = await world()
  const {
    people: [id = ''],
  } = await withPerson('Karoo', { name: 'Thandi Nkosi', role: 'Head buyer' })
  await withPerson('Tuli', { name: 'Pieter', role: 'Owner' })
  await createProspect(operator, { name: 'Nobody' })
  expect(await namesOf(role('contains', 'BUYER'))).toEqual(['Karoo'])
  expect(await namesOf(role('any_of', 'owner', 'head  buyer'))).toEqual(['Karoo', 'Tuli'])
  expect(await namesOf(role('none_of', 'owner'))).toEqual(['Karoo', 'Nobody'])
  expect(await namesOf(role('is_empty'))).toEqual(['Nobody'])
  expect(await namesOf(hasPerson(true))).toEqual(['Karoo', 'Tuli'])

  expect((await operator.post(`/people/${id}/departure`, { on: '2026-11-01' })).status).toBe(200)
  expect(await namesOf(person('thandi'))).toEqual(['Karoo'])
  expect(await namesOf(role('contains', 'buyer'))).toEqual([])
  expect(await namesOf(hasPerson(false))).toEqual(['Karoo', 'Nobody'])
  expect((await editPerson(id, { leftOn: null })).status).toBe(200)
  expect(await namesOf(hasPerson(false))).toEqual(['Nobody'])
})

test('a person who is marked by hand matches no condition, for any reader', async () => {
  const { t, namesOf, withPerson, block } = await world()
  const {
    people: [id = ''],
  } = await withPerson('Karoo', { name: 'Thandi Nkosi', role: 'Buyer' })
  expect((await block(id)).status).toBe(200)
  for (const client of [await t.as('administrator'), await t.as('viewer')]) {
    expect(await namesOf(person('thandi'), client)).toEqual([])
    expect(await namesOf(role('contains', 'buyer'), client)).toEqual([])
    expect(await namesOf(hasPerson(true), client)).toEqual([])
  }
})

test('people at a do not contact record, also at one that was merged into another, match for those who may read them only', async () => {
  const { t, operator, namesOf, withPerson, editPerson } = await world()
  const viewer = await t.as('viewer')
  const blocked = await withPerson('Blocked', { name: 'Thandi Nkosi', role: 'Buyer' })
  const below = await withPerson('Below', { name: 'Sipho Dlamini', role: 'Clerk' })
  for (const { id } of [blocked, below]) await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'No.' })
  const free = await withPerson('Free', { name: 'Zola', role: 'Owner' })
  await endProspect(t, below.id, { status: 'merged', into: free.id })
  // The search text of the survivor is written again with the people of the merged record.
  expect((await editPerson(free.people[0] ?? '', { name: 'Zola Khumalo' })).status).toBe(200)

  expect(await namesOf(person('thandi'))).toEqual(['Blocked'])
  expect(await namesOf(person('sipho'))).toEqual(['Free'])
  expect(await namesOf(role('contains', 'clerk'))).toEqual(['Free'])
  for (const condition of [person('thandi'), person('sipho'), role('contains', 'buyer'), role('contains', 'clerk')])
    expect(await namesOf(condition, viewer)).toEqual([])
  const search = async (client: TestClient) =>
    (await client.get<ListPage<BusinessSummary>>('/businesses?q=sipho')).body.items.map(({ name }) => name)
  expect(await search(operator)).toEqual(['Free'])
  expect(await search(viewer)).toEqual([])
})

test('after a merge the survivor has the people of both, and after its reversal its own', async () => {
  const { t, operator, added, ask } = await world()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, operator, 'Karoo')
  await added(b, { name: 'Thandi Nkosi', role: 'Buyer' })
  const idsOf = async (condition: Condition) => (await ask(condition)).body.items.map(({ id }) => id)
  const conditions = [person('thandi'), role('contains', 'buyer'), hasPerson(true)]
  const merge = await merged(askMerge(manager, await suggestionOfPair(operator, a, b), a))
  for (const condition of conditions) expect(await idsOf(condition)).toEqual([a])
  expect((await askReversal(manager, merge.id)).status).toBe(200)
  for (const condition of conditions) expect(await idsOf(condition)).toEqual([b])
})

test('a list has the first three people whom a desk can ask for, hidden where the record is do not contact, in one query', async () => {
  const { t, operator, ask, withPerson, block } = await world()
  const viewer = await t.as('viewer')
  const bodies = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Fay'].map((name) => ({ name, role: 'Clerk' }))
  const { people } = await withPerson('Karoo', ...bodies)
  await operator.post(`/people/${people[1]}/departure`, { on: '2026-11-01' })
  await block(people[5] ?? '')
  const below = await withPerson('Below', { name: 'Sipho', role: null })
  const blocked = await withPerson('Blocked', { name: 'Thandi' })
  for (const { id } of [below, blocked]) await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'No.' })
  const free = await withPerson('Free')
  await endProspect(t, below.id, { status: 'merged', into: free.id })
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db.updateTable('businesses').set({ has_person: 1 }).where('id', '=', free.id).execute()
    return { keep: true, value: undefined }
  })
  const shown = async (client: TestClient) =>
    Object.fromEntries(
      (await ask(hasPerson(true), client)).body.items.map((row) => [
        row.name,
        [...row.people.map(({ name }) => name), row.furtherPeople],
      ]),
    )
  expect(await shown(operator)).toEqual({
    Karoo: ['Ann', 'Cleo', 'Dan', 1],
    Blocked: ['Thandi', 0],
    Free: ['Sipho', 0],
  })
  expect(await shown(viewer)).toEqual({ Karoo: ['Ann', 'Cleo', 'Dan', 1], Blocked: ['•••', 0], Free: ['•••', 0] })
})
