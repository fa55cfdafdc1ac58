import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeDoubts, readAddress } from './addresses.rules.ts'
import { NORMALIZATION_VERSION } from './identifiers.rules.ts'
import { readCountry, readPlace } from './places.rules.ts'
import { postalRanges } from './towns.data.ts'

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

test.for<[string, Parameters<typeof placeDoubts>[0], string[]]>([
  ['a town of two provinces', { city: 'Middelburg' }, ['Middelburg can be in Eastern Cape or Mpumalanga']],
  [
    'a town of two provinces in the line',
    { street: '8 Church Street, Richmond' },
    ['Richmond can be in KwaZulu-Natal or Northern Cape'],
  ],
  [
    'a province that does not decide',
    { city: 'Middelburg', province: 'EC / MP' },
    ['Middelburg can be in Eastern Cape or Mpumalanga'],
  ],
  [
    'a town elsewhere',
    { city: 'Durban', province: 'Western Cape' },
    ['Durban is in KwaZulu-Natal, the record says Western Cape'],
  ],
  [
    'an earlier name elsewhere',
    { city: 'PE', province: 'Wes-Kaap' },
    ['PE is in Eastern Cape, the record says Western Cape'],
  ],
  ['a province behind the town', { city: 'Durban WC' }, ['Durban is in KwaZulu-Natal, the record says Western Cape']],
  [
    'a province behind the town and another one',
    { city: 'Richmond (NC)', province: 'KZN' },
    ['Richmond (NC) is in Northern Cape, the record says KwaZulu-Natal'],
  ],
  [
    'a code elsewhere',
    { city: 'Cape Town', postalCode: '2000' },
    ['Postal code 2000 is in Gauteng, Cape Town is in Western Cape'],
  ],
  [
    'a code of another province',
    { province: 'KZN', postalCode: '8001' },
    ['Postal code 8001 is in Western Cape, the record says KwaZulu-Natal'],
  ],
  [
    'a code against town and province',
    { city: 'Richmond', province: 'NC', postalCode: '3780' },
    ['Postal code 3780 is in KwaZulu-Natal, the record says Northern Cape'],
  ],
  [
    'three contradictions',
    { city: 'Durban', province: 'WC', postalCode: '2000' },
    [
      'Durban is in KwaZulu-Natal, the record says Western Cape',
      'Postal code 2000 is in Gauteng, Durban is in KwaZulu-Natal',
    ],
  ],
  [
    'a code that agrees with one of two contradicting parts',
    { city: 'Durban', province: 'WC', postalCode: '4001' },
    ['Durban is in KwaZulu-Natal, the record says Western Cape'],
  ],
  ['an ambiguous province', { city: 'Kleinbegin', province: 'NP' }, ['“NP” can be Limpopo or Northern Cape']],
  [
    'a province of before 1994',
    { province: 'Transvaal' },
    ['“Transvaal” can be Gauteng, Limpopo, Mpumalanga, or North West'],
  ],
])('a doubtful place is reported in words: %s', ([, typed, texts]) => {
  expect(placeDoubts(typed).map(({ text }) => text)).toEqual(texts)
  expect(readAddress(typed).doubts).toEqual(placeDoubts(typed))
  expect(readAddress(typed).province).toBeNull()
})

test('a doubt names its kind, the part to check and the version of the rules', () => {
  expect(placeDoubts({ city: 'Middelburg' })).toEqual([
    {
      kind: 'city_in_several_provinces',
      field: 'address.city',
      text: expect.any(String),
      version: NORMALIZATION_VERSION,
    },
  ])
  const kinds = [{ city: 'Durban', province: 'GP' }, { province: 'KZN', postalCode: '8001' }, { province: 'NP' }]
  expect(kinds.flatMap(placeDoubts).map(({ kind, field }) => [kind, field])).toEqual([
    ['city_in_another_province', 'address.city'],
    ['postal_code_in_another_province', 'address.postalCode'],
    ['province_ambiguous', 'address.province'],
  ])
  const elsewhere = [
    { street: '8 Church Street, Middelburg' },
    { street: '8 Church Street, 2000', city: 'Cape Town' },
    { city: 'Cape Town 2000' },
    { street: '8 Church Street, Transvaal' },
  ]
  expect(elsewhere.flatMap(placeDoubts).map(({ field }) => field)).toEqual([
    'address.street',
    'address.street',
    'address.city',
    'address.street',
  ])
})

test.for<[Parameters<typeof readAddress>[0], string | null, string | null]>([
  [{ city: 'Middelburg', province: 'Mpumalanga' }, 'middelburg', 'MP'],
  [{ city: 'Middelburg', province: 'Transvaal' }, 'middelburg', 'MP'],
  [{ city: 'Middelburg', postalCode: '5900' }, 'middelburg', 'EC'],
  [{ city: 'Middelburg, Mpumalanga 1050' }, 'middelburg', 'MP'],
  [{ city: 'Richmond KZN' }, 'richmond', 'KZN'],
  [{ city: 'Richmond', postalCode: '7090' }, 'richmond', 'NC'],
  [{ city: 'Pretoria, 0002, Gauteng' }, 'pretoria', 'GP'],
  [{ city: 'Kleinbegin (NC)' }, 'kleinbegin', 'NC'],
  [{ city: 'Kleinbegin Cape' }, 'kleinbegin cape', null],
  [{ city: 'Pretoria', postalCode: '299' }, 'pretoria', null],
  [{ city: 'Hartbeespoort', postalCode: '0216' }, 'hartbeespoort', 'NW'],
  [{ city: 'Kleinbegin', postalCode: '8001' }, 'kleinbegin', 'WC'],
  [{ city: 'Kleinbegin', postalCode: '8' }, 'kleinbegin', null],
])('the place %j is %s in %s', ([typed, city, province]) => {
  expect(readAddress(typed)).toMatchObject({ city, province })
})

test.for<[Parameters<typeof readAddress>[0], string | null]>([
  [{ city: 'Heidelberg', country: 'Germany' }, 'DE'],
  [{ city: 'Windhoek', province: 'Gauteng', country: 'Namibia' }, 'NA'],
  [{ city: 'Richmond', province: 'Virginia', country: 'USA' }, 'US'],
  [{ city: 'Richmond', province: 'VA' }, null],
  [{ city: 'Richmond', postalCode: '23220' }, null],
])('an address abroad has no province and no doubt: %j', ([typed, country]) => {
  expect(readAddress(typed)).toMatchObject({ province: null, provinces: 0, doubts: [], country })
})

test.for([
  ['South Africa', 'ZA'],
  ['Suid-Afrika', 'ZA'],
  ['RSA', 'ZA'],
  ['za', 'ZA'],
  ['The Netherlands', 'NL'],
  ['SA', null],
  ['S.A.', null],
  ['Kleinbegin', null],
  ['', null],
  [null, null],
] as const)('the country %j is %j', ([typed, code]) => {
  expect(readCountry(typed)).toBe(code)
})

test('a town with the postal code of its own post office has no doubt', () => {
  // The main post offices of larger towns, by the list of the post office.
  const offices = {
    Springbok: '8240',
    Kuruman: '8460',
    Colesberg: '9795',
    Noupoort: '5950',
    Uniondale: '6460',
    'De Aar': '7000',
    Sutherland: '6920',
    Loxton: '6985',
    Vryburg: '8600',
    Boshof: '8340',
    Memel: '2970',
    Matatiele: '4730',
    Sasolburg: '1947',
    Bronkhorstspruit: '1020',
    'Bela-Bela': '0480',
    Thabazimbi: '0380',
    Groblersdal: '0470',
    Carletonville: '2499',
    Hoedspruit: '1380',
    'Aliwal North': '9750',
    Kokstad: '4700',
    'Beaufort West': '6970',
  }
  for (const [city, postalCode] of Object.entries(offices))
    expect([city, placeDoubts({ city, postalCode })]).toEqual([city, []])
})

test('any text is parsed, with the same result each time', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 250 }),
    fc.stringMatching(/^[0-9A-Za-z ,.'&/-]{0,60}$/),
  )
  fc.assert(
    fc.property(line, line, line, (street, city, postalCode) => {
      const typed = { street, city, postalCode, province: street, country: city }
      expect(readAddress(typed)).toEqual(readAddress(typed))
    }),
    { numRuns: 300 },
  )
  expect(readAddress({ street: `${'x, '.repeat(5_000)}` }).street.length).toBeLessThanOrEqual(6)
})

test('the ranges of postal codes are in order and do not overlap', () => {
  for (const [at, { from, to }] of postalRanges.entries()) {
    expect(from <= to).toBe(true)
    expect((postalRanges[at - 1]?.to ?? '') < from).toBe(true)
  }
})

test('stored doubts are those of the place, whatever was read before', () => {
  const some = (...values: (string | null)[]) => fc.constantFrom(...values)
  const place = fc.record({
    city: some(null, '', 'Middelburg', 'Pretoria', 'Middelburg\n1050', 'Newcastle'),
    province: some(null, '', 'Gauteng', 'KZN', 'Limpopo', 'KZN - Durban'),
    postalCode: some(null, '', '1050', '2940', '0001'),
    country: some(null, '', 'ZA', 'South Africa', 'Australia'),
    street: some(null, '12 Main Road'),
  })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 30 }), (places) => {
      for (const one of places) {
        const doubts = one.street == null || one.city == null ? readAddress(one).doubts : readPlace(one).doubts
        expect([one, placeDoubts(one)]).toEqual([one, doubts])
      }
    }),
  )
})
