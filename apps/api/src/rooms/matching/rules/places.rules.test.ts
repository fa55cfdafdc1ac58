import { expect, test } from 'vitest'
import { bandBetween, type Facts, suggestions } from '../../../../test/compared.ts'

/* Towns of one name in different provinces, postal areas and countries, and places that are uncertain. */

const shop = { name: 'Protea Hardware', street: '8 Church Street' }
const richmond = { ...shop, city: 'Richmond' }
const phone = '053 555 0101'

test.for<[what: string, a: Facts, b: Facts]>([
  ['Richmond', { ...richmond, province: 'Northern Cape' }, { ...richmond, province: 'KwaZulu-Natal' }],
  ['Heidelberg', { ...shop, city: 'Heidelberg', province: 'WC' }, { ...shop, city: 'Heidelberg', province: 'GP' }],
  ['Middelburg', { ...shop, city: 'Middelburg', province: 'EC' }, { ...shop, city: 'Middelburg', province: 'MP' }],
  ['Balfour', { ...shop, city: 'Balfour', province: 'EC' }, { ...shop, city: 'Balfour', province: 'Mpumalanga' }],
  ['Richmond, by postal code', { ...richmond, postalCode: '3780' }, { ...richmond, postalCode: '7090' }],
  [
    'Middelburg, by postal code',
    { ...shop, city: 'Middelburg', postalCode: '1050' },
    { ...shop, city: 'Middelburg', postalCode: '5900' },
  ],
  ['a postal code and a province', { ...richmond, postalCode: '3780' }, { ...richmond, province: 'NC' }],
  [
    'a town behind which its province is written',
    { ...shop, city: 'Richmond KZN' },
    { ...shop, city: 'Richmond (NC)' },
  ],
  [
    'a town that no list has',
    { ...shop, city: 'Kleinbegin', province: 'NC' },
    { ...shop, city: 'Kleinbegin', province: 'WC' },
  ],
  ['Ladysmith and Ladismith', { ...shop, city: 'Ladysmith' }, { ...shop, city: 'Ladismith' }],
  [
    'Durban and Polokwane',
    { ...shop, street: '5 Main Road', city: 'Durban' },
    { ...shop, street: '5 Main Road', city: 'Polokwane' },
  ],
  [
    'South Africa and Namibia',
    { ...shop, city: 'Kraaifontein', country: 'South Africa' },
    { ...shop, city: 'Kraaifontein', country: 'Namibia' },
  ],
  ['ZA and NA', { ...shop, city: 'Kraaifontein', country: 'ZA' }, { ...shop, city: 'Kraaifontein', country: 'NA' }],
  ['ZA and SC', { ...shop, city: 'Victoria', country: 'ZA' }, { ...shop, city: 'Victoria', country: 'Seychelles' }],
  [
    'the same box of two towns',
    { name: shop.name, street: 'PO Box 12', city: 'Richmond', province: 'NC' },
    { name: shop.name, street: 'PO Box 12', city: 'Richmond', province: 'KZN' },
  ],
  ['no town, two provinces', { ...shop, province: 'NC' }, { ...shop, province: 'KZN' }],
])('one name and street in two areas is no suggestion: %s', ([, a, b]) => {
  expect(bandBetween(a, b)).toBeNull()
})

test.for<[what: string, a: Facts, b: Facts]>([
  ['two records without a province', richmond, richmond],
  ['one record without a province', richmond, { ...richmond, province: 'KZN' }],
  [
    'a town that no list has, one record without a province',
    { ...shop, city: 'Kleinbegin' },
    { ...shop, city: 'Kleinbegin', province: 'NC' },
  ],
  ['one record without town and province', { ...shop }, { ...richmond, province: 'KZN' }],
  [
    'an ambiguous province',
    { ...shop, city: 'Kleinbegin', province: 'NP' },
    { ...shop, city: 'Kleinbegin', province: 'LP' },
  ],
  ['a contradiction in one record', { ...shop, city: 'Durban', province: 'Western Cape' }, { ...shop, city: 'Durban' }],
  [
    'a postal code that contradicts the town',
    { ...shop, city: 'Cape Town', postalCode: '2000' },
    { ...shop, city: 'Cape Town' },
  ],
  ['a foreign country on one side', { ...shop, city: 'Windhoek', country: 'NA' }, { ...shop, city: 'Windhoek' }],
  [
    'foreign regions',
    { ...shop, city: 'Springfield', province: 'IL' },
    { ...shop, city: 'Springfield', province: 'MA' },
  ],
  [
    'foreign postal codes of two areas',
    { ...shop, city: 'Springfield', postalCode: '62701' },
    { ...shop, city: 'Springfield', postalCode: '01103' },
  ],
  ['another town of the province', { ...shop, city: 'Durban' }, { ...shop, city: 'Umhlanga' }],
  [
    'the same box of a town without a province',
    { name: shop.name, street: 'PO Box 12', city: 'Richmond' },
    { name: shop.name, street: 'PO Box 12', city: 'Richmond' },
  ],
  [
    'a shared brand',
    { ...richmond, domain: 'protea.co.za', email: 'info@protea.co.za' },
    { ...richmond, domain: 'protea.co.za', email: 'info@protea.co.za' },
  ],
])('an address that may be in two towns is possible, not strong: %s', ([, a, b]) => {
  expect(bandBetween(a, b)).toBe('review')
})

test.for<[what: string, a: Facts, b: Facts]>([
  ['the same phone', { ...richmond, phone }, { ...richmond, phone }],
  [
    'the same registration number',
    { ...richmond, registrationNumber: '2015/123456/07' },
    { ...richmond, registrationNumber: '2015/123456/07' },
  ],
  ['the same private mailbox', { ...richmond, email: 'thandi@gmail.com' }, { ...richmond, email: 'thandi@gmail.com' }],
])('a value of the business itself decides for an uncertain town: %s', ([, a, b]) => {
  expect(bandBetween(a, b)).toBe('strong')
})

test.for<[what: string, a: Facts, b: Facts]>([
  ['one province, in other words', { ...richmond, province: 'KZN' }, { ...richmond, province: 'Kwa-Zulu Natal' }],
  ['a province and a postal code', { ...richmond, province: 'Northern Cape' }, { ...richmond, postalCode: '7090' }],
  [
    'an ambiguous province that the town decides',
    { ...shop, city: 'Middelburg', province: 'Transvaal' },
    { ...shop, city: 'Middelburg', province: 'MP' },
  ],
  ['a town in one province only', { ...shop, city: 'Gqeberha', province: 'EC' }, { ...shop, city: 'Port Elizabeth' }],
  ['a country on one side', { ...shop, city: 'Gqeberha', country: 'South Africa' }, { ...shop, city: 'Gqeberha' }],
  ['a foreign town', { ...shop, city: 'Windhoek', country: 'NA' }, { ...shop, city: 'Windhoek', country: 'Namibia' }],
  [
    'box and street code of one town',
    { ...shop, city: 'Middelburg', postalCode: '1050' },
    { ...shop, city: 'Middelburg', postalCode: '1055' },
  ],
  [
    'the same wrong postal code',
    { ...shop, city: 'Cape Town', postalCode: '2000' },
    { ...shop, city: 'Cape Town', postalCode: '2000' },
  ],
  ['a town that no list has', { ...shop, city: 'Kleinbegin' }, { ...shop, city: 'Kleinbegin' }],
])('one place stays strong: %s', ([, a, b]) => {
  expect(bandBetween(a, b)).toBe('strong')
})

test('a business that moved to a town of the same name is for a person to decide', () => {
  const pair: Facts[] = [
    { ...richmond, province: 'NC', phone },
    { ...richmond, province: 'KZN', phone },
  ]
  const [found] = suggestions(pair)
  expect(found?.band).toBe('review')
  expect(found?.reasons.map(({ text }) => text)).toContain('the provinces differ: KwaZulu-Natal and Northern Cape')
})

test('reasons name the countries and the uncertainty', () => {
  const textsOf = (a: Facts, b: Facts) => suggestions([a, b])[0]?.reasons.map(({ text }) => text)
  expect(
    textsOf({ ...shop, city: 'Victoria', country: 'ZA', phone }, { ...shop, city: 'Victoria', country: 'SC', phone }),
  ).toContain('the countries differ: Seychelles and South Africa')
  expect(textsOf(richmond, { ...richmond, province: 'KZN' })).toEqual(
    expect.arrayContaining([
      'same number and street, but it is not certain that both are in one town: a province is missing or uncertain',
      'the two places may be two towns: neither phone, mailbox nor registration number decides',
    ]),
  )
})
