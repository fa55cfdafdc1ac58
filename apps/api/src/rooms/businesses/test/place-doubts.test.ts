import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type ListPage } from '../../../../test/prospects.ts'
import type { Fact } from '../../evidence/evidence.ts'
import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { Business, NormalizedAddress } from '../businesses.schema.ts'

const doubt = (kind: string, field: string, text: string) => ({ kind, field, text, version: NORMALIZATION_VERSION })
const durban = doubt(
  'city_in_another_province',
  'address.city',
  'Durban is in KwaZulu-Natal, the record says Western Cape',
)

test('a contradictory place is marked in the answer to its creation, in the record, the list and the facts', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const address = { city: 'Durban', province: 'Western Cape' }
  const created = await operator.post<Business>('/businesses', { name: 'Karoo Pumps', address })
  expect(created.body.placeDoubts).toEqual([durban])
  const path = `/businesses/${created.body.id}`
  const { body: record } = await operator.get<Business>(path)
  // The stored values stay as they were typed.
  expect(record).toMatchObject({ address, provinceCode: 'WC', placeDoubts: [durban] })
  const { body: list } = await operator.get<ListPage<BusinessSummary>>('/businesses')
  expect(list.items.map(({ placeDoubts }) => placeDoubts)).toEqual([[durban]])
  const { body: facts } = await operator.get<{ items: Fact[] }>(`${path}/facts`)
  expect(facts.items.map(({ field, doubts }) => [field, doubts])).toEqual([
    ['name', []],
    ['address.city', [durban]],
    ['address.province', []],
  ])
  const edited = await operator.patch<Business>(path, { address: { province: 'KZN' } }, { 'if-match': '"1"' })
  expect(edited.body.placeDoubts).toEqual([])
})

test.for<[Partial<Business['address']>, string[]]>([
  [{ city: 'Middelburg' }, ['Middelburg can be in Eastern Cape or Mpumalanga']],
  [{ city: 'Middelburg', province: 'MP' }, []],
  [{ city: 'Cape Town', postalCode: '2000' }, ['Postal code 2000 is in Gauteng, Cape Town is in Western Cape']],
  [{ street: '8 Church Street, Richmond' }, ['Richmond can be in KwaZulu-Natal or Northern Cape']],
  [{ city: 'Richmond', country: 'United States' }, []],
  [{}, []],
])('the list reads %j in the same way as the record', async ([address, texts]) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { name: 'Karoo Pumps', address })
  const { body: record } = await operator.get<Business>(`/businesses/${id}`)
  const { body: list } = await operator.get<ListPage<BusinessSummary>>('/businesses')
  expect(record.placeDoubts.map(({ text }) => text)).toEqual(texts)
  expect(list.items.map(({ placeDoubts }) => placeDoubts)).toEqual([record.placeDoubts])
})

test('addresses are divided in their order with their doubts, and nothing is written', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  const addresses = [
    { street: 'Shop 3, 12 Kerkstraat', city: 'Durban', province: 'Western Cape' },
    { city: 'Middelburg', country: 'South Africa' },
    { city: 'Cape Town', postalCode: '8001' },
    {},
  ]
  const changes = await t.changes(async () => {
    const { status, body } = await viewer.post<{ items: NormalizedAddress[] }>('/address-normalizations', { addresses })
    expect(status).toBe(200)
    expect(body.items).toMatchObject([
      { number: '12', street: 'church street', unit: '3', city: 'durban', doubts: [durban] },
      {
        city: 'middelburg',
        province: null,
        provinces: ['EC', 'MP'],
        country: 'ZA',
        doubts: [{ field: 'address.city' }],
      },
      { city: 'cape town', province: 'WC', provinces: ['WC'], postalCode: '8001', doubts: [] },
      {
        street: null,
        city: null,
        province: null,
        provinces: [],
        doubts: [],
        normalizationVersion: NORMALIZATION_VERSION,
      },
    ])
  })
  expect(changes).toEqual({})
  const many = await viewer.post('/address-normalizations', { addresses: Array.from({ length: 1_001 }, () => ({})) })
  expect(many.status).toBe(400)
})
