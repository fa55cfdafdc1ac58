import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import type { SimilarNames } from '../businesses.schema.ts'

const names = [
  'Kagiso Precision Plumbing (Pty) Ltd',
  'Karoo Grill',
  'Pick n Pay Paarl',
  'Stellenbosch Wine Estate',
  'Drakensberg Logistics',
  'Sea Point Bakery',
  'Umzimvubu Civil',
]

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  for (const name of names) await createProspect(operator, { name, address: { city: 'Paarl' } })
  const similarTo = async (q: string, client = operator) =>
    (await client.get<SimilarNames>(`/businesses/similar-names?q=${encodeURIComponent(q)}`)).body
  const namesLike = async (q: string, client = operator) => (await similarTo(q, client)).items.map(({ name }) => name)
  return { t, operator, similarTo, namesLike }
}

test.for([
  ['Kagisso Presision Plumming', 'Kagiso Precision Plumbing (Pty) Ltd'],
  ['kagiso plumbng', 'Kagiso Precision Plumbing (Pty) Ltd'],
  ['Karro Gril', 'Karoo Grill'],
  ['Stelenbosch', 'Stellenbosch Wine Estate'],
  ['PicknPay', 'Pick n Pay Paarl'],
  ['Drakensburg', 'Drakensberg Logistics'],
  ['Drakensberg Logistik', 'Drakensberg Logistics'],
  ['Seapoint Bakery', 'Sea Point Bakery'],
  ['umzinvubu', 'Umzimvubu Civil'],
  ['Umzimvubu Civils', 'Umzimvubu Civil'],
])('%s is like the name %s', async ([q = '', name = '']) => {
  const { namesLike } = await setUp()
  expect(await namesLike(q)).toEqual([name])
})

test('unlike texts have no similar name, and short or odd texts are answered', async () => {
  const { namesLike } = await setUp()
  for (const q of ['Zebra Xylophones', 'qqqq', 'zz', '%%%', '"', '🙂', 'a'.repeat(200), '0825558834', "') OR ("])
    expect([q, await namesLike(q)]).toEqual([q, []])
})

test('similar names are those of active records of the tenant, pending and indexed, most similar first, at most ten', async () => {
  const { t, operator, namesLike } = await setUp()
  const other = await t.as('operator', 'other')
  expect(await namesLike('Karro Gril', other)).toEqual([])
  const mistaken = await createProspect(operator, { name: 'Karroo Grill' })
  await operator.post(`/businesses/${mistaken.id}/deactivation`, { reason: 'Entered twice.' })
  await createProspect(operator, { name: 'Karos Grils' })
  const blocked = await createProspect(operator, { name: 'Karo Grill' })
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'They asked.' })
  expect(await namesLike('Karoo Gril', await t.as('viewer'))).toEqual(['Karoo Grill', 'Karo Grill', 'Karos Grils'])
  // With 64 more texts, the index has the first ones.
  for (let number = 0; number < 64; number++) await createProspect(operator, { name: `Windpumps ${number}` })
  expect((await namesLike('Karoo Gril')).slice(0, 2)).toEqual(['Karoo Grill', 'Karo Grill'])
  expect(await namesLike('Winpumps')).toHaveLength(10)
})

test('a misspelled or other name of a town suggests the city of the records', async () => {
  const { operator, similarTo } = await setUp()
  for (const city of ['Stellenbosch', 'Cape Town', 'Gqeberha']) await createProspect(operator, { address: { city } })
  const cityLike = async (q: string) => (await similarTo(q)).city
  for (const [q, city] of [
    ['Stelenbosch', 'Stellenbosch'],
    ['stellenbosh', 'Stellenbosch'],
    ['Kaapstad', 'Cape Town'],
    ['Kapstad', 'Cape Town'],
    ['Capetown', 'Cape Town'],
    ['Port Elizabeth', 'Gqeberha'],
    ['Prot Elizabeth', 'Gqeberha'],
    ['Parl', 'Paarl'],
    ['Johannesburg', null],
    ['Karoo Grill', null],
  ] as const)
    expect([q, await cityLike(q)]).toEqual([q, city])
  expect((await similarTo('Stelenbosch')).isRenewing).toBe(false)
})
