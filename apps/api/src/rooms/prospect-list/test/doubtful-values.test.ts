import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { createProspect, type ListPage, walk } from '../../../../test/prospects.ts'
import type { TestClient } from '../../../../test/test-client.ts'

/** Returns the names of the prospects that a condition on doubtful values matches, and checks their total. */
async function foundBy(client: TestClient, op: string, ...values: string[]): Promise<string[]> {
  const conditions = encodeURIComponent(JSON.stringify([{ field: 'doubts', op, values }]))
  const path = `/businesses?sort=createdAt&conditions=${conditions}`
  const rows = await walk<{ name: string }>(client, path)
  const { page } = (await client.get<ListPage<unknown>>(path)).body
  expect(page.total?.value).toBe(rows.length)
  return rows.map(({ name }) => name)
}

const contradictory = { city: 'Durban', province: 'Western Cape' }
const local = { value: '021 555 0101' }

test('prospects are found by a doubtful place or phone, and an edit that resolves the doubt removes them', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const whole = { value: '021 555 0102', region: 'ZA' }
  await createProspect(operator, { name: 'Clear', address: { city: 'Durban' }, phones: [whole] })
  const place = await createProspect(operator, { name: 'Place', address: contradictory })
  await createProspect(operator, { name: 'Phone', phones: [whole, local] })
  const both = await createProspect(operator, { name: 'Both', address: { city: 'Middelburg' }, phones: [local] })
  expect(await foundBy(operator, 'any_of', 'place')).toEqual(['Place', 'Both'])
  expect(await foundBy(operator, 'any_of', 'phone')).toEqual(['Phone', 'Both'])
  expect(await foundBy(operator, 'any_of', 'place', 'phone')).toEqual(['Place', 'Phone', 'Both'])
  expect(await foundBy(operator, 'none_of', 'place', 'phone')).toEqual(['Clear'])
  await operator.patch(`/businesses/${place.id}`, { address: { province: 'KZN' } }, { 'if-match': '"1"' })
  await operator.patch(`/businesses/${both.id}`, { phones: [whole] }, { 'if-match': '"1"' })
  expect(await foundBy(operator, 'any_of', 'place')).toEqual(['Both'])
  expect(await foundBy(operator, 'any_of', 'phone')).toEqual(['Phone'])
  const conditions = encodeURIComponent(JSON.stringify([{ field: 'doubts', op: 'any_of', values: ['email'] }]))
  expect((await operator.get(`/businesses?conditions=${conditions}`)).status).toBe(400)
})

test('a survivor has the doubts of the chosen values, and each record its own again after the reversal', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const doubtful = { name: 'Karoo Wind', address: contradictory, phones: [local] }
  const { a, suggestion } = await suggestedPair(t, manager, 'Karoo', [{}, doubtful])
  expect(await foundBy(manager, 'any_of', 'place')).toEqual(['Karoo Wind'])
  const merge = await merged(askMerge(manager, suggestion, a))
  expect(await foundBy(manager, 'any_of', 'phone')).toEqual(['Karoo'])
  expect((await askReversal(manager, merge.id)).status).toBe(200)
  expect(await foundBy(manager, 'any_of', 'phone')).toEqual(['Karoo Wind'])
  expect(await foundBy(manager, 'any_of', 'place')).toEqual(['Karoo Wind'])
})
