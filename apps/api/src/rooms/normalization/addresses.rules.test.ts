import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAddress } from './addresses.rules.ts'

test.for([
  ['12 Main Road', { number: '12', street: ['main'], kind: 'road' }],
  ['12 Main Rd.', { number: '12', street: ['main'], kind: 'road' }],
  ['No 12 Main Road', { number: '12', street: ['main'], kind: 'road' }],
  ['Hoofstraat 12', { number: '12', street: ['main'], kind: 'street' }],
  ['12a Jan Smuts Laan', { number: '12a', street: ['jan', 'smuts'], kind: 'avenue' }],
  ['Cnr Main & Church St', { number: null, street: ['main', 'church'], kind: 'street' }],
  ['2518 MissionStreet', { number: '2518', street: ['mission'], kind: 'street' }],
  ['Main Road', { number: null, street: ['main'], kind: 'road' }],
  ['751 N. State Street, IL', { number: '751', street: ['state'], kind: 'street' }],
  ['PO Box 123', { box: 'pobox 123', street: [] }],
  ['Posbus 123', { box: 'pobox 123' }],
  ['Private Bag X5, 45 Kerk Straat', { box: 'bag x5', number: '45', street: ['church'] }],
  ['Shop 3, Menlyn Mall, 12 Atterbury Rd', { unit: '3', complex: 'menlyn mall', number: '12', street: ['atterbury'] }],
  ['Unit 4 Green Park Estate, Long St 44', { unit: '4', complex: 'green park estate', number: '44', street: ['long'] }],
  [
    '100 Main St, Sandton, 2196',
    { number: '100', street: ['main'], city: 'sandton', postalCode: '2196', province: 'GP' },
  ],
  [
    'Food Court, Waterfront Mall, 86 Dock Road',
    { complex: 'food court', number: '86', street: ['dock'], kind: 'road' },
  ],
  ['12 Rivonia Rd, Morningside, Sandton, GP, South Africa', { street: ['rivonia'], city: 'sandton', province: 'GP' }],
  ['5 Oxford St, East London', { number: '5', street: ['oxford'], city: 'east london', province: 'EC' }],
  ['Main Road, 7441 Milnerton', { number: null, street: ['main'], city: 'milnerton', postalCode: '7441' }],
  ['Menlyn Mall, Pretoria 0001', { street: [], complex: 'menlyn mall', city: 'pretoria', postalCode: '0001' }],
  ['Menlyn Mall', { street: [], complex: 'menlyn mall', city: null }],
  ['Kaapstad', { street: [], complex: null, city: 'cape town', province: 'WC' }],
  ['Bree', { street: ['bree'], complex: null, city: null }],
  ['12 N Main St', { number: '12', street: ['main'] }],
  ['12 Main St North', { number: '12', street: ['main'] }],
  ['12 5th Ave', { number: '12', street: ['5'], kind: 'avenue' }],
  ['12 Fifth Avenue', { number: '12', street: ['5'] }],
  ['12 East 51 Street', { number: '12', street: ['51'], kind: 'street' }],
  ['12 Vyfde Laan', { number: '12', street: ['5'] }],
  ['One Oak Drive', { number: '1', street: ['oak'] }],
  ['12-14 Oak Road', { number: '12', street: ['oak'] }],
  ['12 - 14 Oak Road', { number: '12', street: ['oak'] }],
  ['10 S. Ave. H', { number: '10', street: ['avenue', 'h'], kind: null }],
  ['10 Ave H', { number: '10', street: ['avenue', 'h'] }],
  ['12 State Road 62', { number: '12', street: ['state', 'road', '62'] }],
  ['12 St. Helena Road', { number: '12', street: ['saint', 'helena'], kind: 'road' }],
  ['12 OakDr, Marulaville', { number: '12', street: ['oak'], city: 'marulaville' }],
  ['Oak @ Long', { street: ['oak', 'long'] }],
  ['Corner of Oak and Long St', { street: ['oak', 'long'] }],
  ['12 Oak Rd, 2nd Floor', { number: '12', street: ['oak'], unit: '2', city: null }],
  ['Floor 2, 12 Oak Rd', { number: '12', street: ['oak'], unit: '2' }],
  ['12 Oak Rd Ground Floor', { number: '12', street: ['oak'], unit: 'ground', city: null }],
  ['12 Oak Rd (Marula Mall), Sandton', { number: '12', street: ['oak'], complex: null, city: 'sandton' }],
  ['12 Oak Rd (East Side)', { street: ['oak'], city: null }],
  ['12 Oak Rd, Marulaville, WI 53702', { street: ['oak'], city: 'marulaville', postalCode: '53702' }],
  ['12 Oak Rd, Marulaville, WI53702', { street: ['oak'], city: 'marulaville', postalCode: '53702' }],
  ['12 Oak Marulaville IL 60302', { number: '12', street: ['oak', 'marulaville'], postalCode: '60302' }],
  ['12 Oak Rd, Marulaville, Illinois', { city: 'marulaville' }],
  ['Marulaville, CA 90046', { street: [], complex: null, city: 'marulaville', postalCode: '90046' }],
  ['', { number: null, street: [], box: null }],
] as const)('the line %s is read as %j', ([street, expected]) => {
  expect(readAddress({ street })).toMatchObject(expected)
})

test.for([
  ['Port Elizabeth', 'gqeberha', 'EC'],
  ['Gqeberha', 'gqeberha', 'EC'],
  ['Pietersburg', 'polokwane', 'LP'],
  ['Nelspruit', 'mbombela', 'MP'],
  ['Grahamstown', 'makhanda', 'EC'],
  ['Jhb', 'johannesburg', 'GP'],
  ['Kaapstad', 'cape town', 'WC'],
  ['Kleinbegin', 'kleinbegin', null],
] as const)('the town %s is %s', ([typed, city, province]) => {
  expect(readAddress({ city: typed })).toMatchObject({ city, province, doubts: [] })
})

test('a town in several provinces is reported with its candidates until another part decides', () => {
  expect(readAddress({ city: 'Middelburg' })).toMatchObject({
    city: 'middelburg',
    province: null,
    doubts: [{ what: 'city_in_several_provinces', candidates: ['middelburg, EC', 'middelburg, MP'] }],
  })
  expect(readAddress({ city: 'Middelburg', province: 'Mpumalanga' })).toMatchObject({ province: 'MP', doubts: [] })
  expect(readAddress({ city: 'Middelburg', postalCode: '5900' })).toMatchObject({ province: 'EC', doubts: [] })
})

test('contradictions are reported, not corrected', () => {
  expect(readAddress({ city: 'Durban', province: 'Gauteng' })).toMatchObject({
    city: 'durban',
    province: 'GP',
    doubts: [{ what: 'city_in_another_province', candidates: ['durban, KZN', 'durban, GP'] }],
  })
  expect(readAddress({ province: 'KZN', postalCode: '8001' }).doubts).toEqual([
    { what: 'postal_code_in_another_province', candidates: ['KZN', 'WC'] },
  ])
})

test('any text is parsed, with the same result each time', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 250 }),
    fc.stringMatching(/^[0-9A-Za-z ,.'&/-]{0,60}$/),
  )
  fc.assert(
    fc.property(line, line, line, (street, city, postalCode) => {
      const read = readAddress({ street, city, postalCode })
      expect(readAddress({ street, city, postalCode })).toEqual(read)
    }),
    { numRuns: 300 },
  )
  expect(readAddress({ street: `${'x, '.repeat(5_000)}` }).street.length).toBeLessThanOrEqual(6)
})
