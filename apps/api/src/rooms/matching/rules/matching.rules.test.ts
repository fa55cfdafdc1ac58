import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandBetween, type Facts, input, suggestions } from '../../../../test/compared.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { matchSet } from '../run/match-set.ts'
import { blockingKeys } from './blocking.rules.ts'
import { compareNames, createNameSimilarity } from './compare-names.rules.ts'
import { compareRecords, createComparison, isKept } from './compare-records.rules.ts'
import { editDistance, wordSimilarity } from './edit-distance.rules.ts'
import { bandOf, leastKeptWeight, log2Thousandths, scoreOf } from './exact-arithmetic.rules.ts'
import { lettersDiffer, lettersWithSlips } from './letters.rules.ts'
import { ALGORITHM_VERSION, configuration } from './matching-configuration.data.ts'
import { createOutlines } from './outlines.rules.ts'
import { createRecordReader } from './read-record.ts'
import { type ValueRows, valueRows, valuesIn, valuesOf } from './record-values.ts'

const here = { street: '12 Main Road', city: 'Gqeberha' }

test.for([
  ['the same name and place', { ...here }, { street: 'Hoofweg 12', city: 'Port Elizabeth' }, 'strong'],
  ['the same name and phone', { phone: '041 555 0101' }, { phone: '+27 41 555 0101' }, 'strong'],
  ['a slip in the name, the same place', { ...here }, { name: 'Karoo Windpmups CC', ...here }, 'strong'],
  ['nothing but the same name of its own', {}, { name: 'KAROO WINDPUMPS (PTY) LTD' }, 'review'],
  ['the same name in another town', { city: 'Durban' }, { city: 'George' }, null],
  [
    'two branches of a chain: name, domain, e-mail and switchboard agree, the streets do not',
    { ...here, domain: 'karoo.co.za', email: 'info@karoo.co.za', phone: '0861 555 010' },
    {
      street: '90 Oak Street',
      city: 'George',
      domain: 'karoo.co.za',
      email: 'info@karoo.co.za',
      phone: '0861 555 010',
    },
    null,
  ],
  [
    'two firms under one roof',
    { ...here, phone: '041 555 0101' },
    { ...here, name: 'Botha Attorneys', phone: '041 555 0101' },
    null,
  ],
  [
    'a short name and a long one in one building',
    { ...here, name: 'Camdeboo' },
    { ...here, name: 'Camdeboo Game Ranch Supplies' },
    'review',
  ],
  [
    'names with one word of their own in common, under one roof with one phone',
    { ...here, name: 'Windpumps of the Karoo and Camdeboo', phone: '041 555 0101' },
    { ...here, name: 'Camdeboo Solar', phone: '041 555 0101' },
    'review',
  ],
  [
    'two businesses in one town with pages on one shared host',
    { name: 'Camdeboo', domain: 'facebook.com', city: 'George' },
    { name: 'Windpumps', domain: 'facebook.com', city: 'George' },
    null,
  ],
  [
    'the same name and a host of its own at a builder of sites',
    { domain: 'karoo.wordpress.com' },
    { domain: 'karoo.wordpress.com' },
    'strong',
  ],
  ['the same name at another number of the street', { ...here }, { street: '340 Main Road', city: 'Gqeberha' }, null],
  [
    'the same registration number',
    { registrationNumber: '2015/123456/07' },
    { registrationNumber: '2015/123456/07' },
    'strong',
  ],
  ['shop 2 and shop 3', { name: 'Karoo Fuel 2', city: 'George' }, { name: 'Karoo Fuel 3', city: 'George' }, null],
  [
    'free mail of one person',
    { email: 'thandi@gmail.com', name: 'Thandi Deco' },
    { email: 'thandi@gmail.com', name: 'Thandis Deco' },
    'strong',
  ],
] as const)('%s', ([, a, b, band]) => {
  expect(bandBetween(a, b)).toBe(band)
})

test.for([
  ['Good Will', 'Goodwill', 1_000],
  ['Bel-Air Hotel', 'Hotel Bel Air', 1_000],
  ["Art's Delicatessen", "Art's Deli", 1_000],
  ['Peoples Liberation Army', 'PLA', 750],
  ['Southgate Care', 'South Gate Care', 1_000],
  ['Marula 2', 'Marula II', 1_000],
  ['Marula', 'Marula (Durban)', 1_000],
  ['Marula Durban', 'Marula (Durban)', 1_000],
  ['Marula (Durban)', 'Marula (George)', 1_000],
  ['St. Luke Clinic', 'Saint Luke Clinic', 1_000],
  ['Karoo', 'Marula', 0],
] as const)('%s and %s are alike to %i thousandths', ([one, other, similarity]) => {
  const reader = createRecordReader()
  const [a, b] = [one, other].map((name) => reader.read(input({ name })).names[0])
  if (a === undefined || b === undefined) throw new Error('A record without a name.')
  const [forth, back] = [createNameSimilarity(), createNameSimilarity()]
  compareNames(a, b, forth)
  compareNames(b, a, back)
  expect(forth.similarity).toBe(similarity)
  expect(back).toEqual(forth)
})

test('a phone shared by a whole mall weighs little; one shared by two records weighs much', () => {
  const shop = (at: number) => ({
    name: `${'abcdefghijkl'.charAt(at).repeat(5)} Deco`,
    street: `${at * 7 + 100} Oak Street`,
    city: 'George',
    phone: '044 555 0101',
  })
  expect(suggestions(Array.from({ length: 12 }, (_, at) => shop(at)))).toEqual([])
})

test('ten thousand records with one phone and one mailbox are compared within limits, and the report counts the pairs left out', () => {
  const reader = createRecordReader()
  const records = Array.from({ length: 10_000 }, (_, at) =>
    reader.read(
      input({
        id: `r${String(at).padStart(5, '0')}`,
        name: `Firm ${at.toString(36)}x`,
        street: `${at} Oak Street`,
        phone: '0861 555 010',
        email: 'info@karoo.co.za',
        domain: 'karoo.co.za',
      }),
    ),
  )
  reader.settle(reader.commonWords())
  const report = matchSet(records, () => undefined)
  expect(report.boundedBlocks).toBeGreaterThan(0)
  expect(report.largestBlock).toBe(10_000)
  expect(report.pairsCompared).toBeLessThan(10_000 * 40)
  expect(report.pairsLeftOut).toBeGreaterThan(49_000_000)
})

test('reads and compares other scripts, emoji, records with only a name, and ten thousand characters', () => {
  const names = ['トヨタ', '🍕🍕', 'Муромский завод', 'x'.repeat(10_000), '!!!', 'CC', 'a']
  expect(suggestions(names.flatMap((name) => [{ name }, { name }]))).toHaveLength(names.length)
})

const word = fc.constantFrom(
  'Karoo',
  'Protea',
  'Marula',
  'Motors',
  'Bakery',
  'CC',
  '2',
  '3',
  'Kaoro',
  'Goodwill',
  'Good',
  'Will',
  'Spa',
  'II',
  '(Durban)',
  '(George)',
  'at Protea',
)
const facts = fc.record(
  {
    name: fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' ')),
    phone: fc.constantFrom(
      '082 123 4567',
      '+27 82 123 4567',
      '123 4567',
      '011 555 0101',
      '011 555 0199',
      '0861 555 010',
      '123',
    ),
    email: fc.constantFrom('info@karoo.co.za', 'a@gmail.com', 'b@karoo.co.za', 'x'),
    domain: fc.constantFrom('karoo.co.za', 'shop.karoo.co.za', 'karoo.com', 'protea.co.za'),
    street: fc.constantFrom(
      '12 Main Road',
      'Main Road',
      '13 Main Rd',
      '12 Mian Road',
      '12 Oak Street',
      '12 Voortrekker St',
      '12 Voortreker St',
      '12 Voor Street',
      '12 Nelson Mandela Drive',
      '12 Mandela Dr',
      'Karoo Mall',
      'PO Box 12',
      '18 Main Road, 2nd Floor',
      '340 Main Road',
    ),
    city: fc.constantFrom('Gqeberha', 'Port Elizabeth', 'George', 'Kimberley', 'Kimberly', 'Richmond', 'Kleinbegin'),
    province: fc.constantFrom('EC', 'Western Cape', 'KZN', 'NP', 'Khomas'),
    postalCode: fc.constantFrom('6001', '7090', '3780', '62701', '01103'),
    country: fc.constantFrom('South Africa', 'NA'),
    registrationNumber: fc.constantFrom('2015/123456/07', '2016/654321/23'),
  },
  { requiredKeys: ['name'] },
)

test('parsed values survive the transfer between threads', () => {
  const said = fc.tuple(
    facts,
    fc.constantFrom<Facts>({}, { tradingName: 'Kaoro t/a Protea' }, { suburb: 'Unit 4, Newtown' }),
  )
  fc.assert(
    fc.property(fc.array(said), (all) => {
      const values = all.map(([one, other]) => valuesOf(input({ ...one, ...other })))
      expect(valuesIn(valueRows(values))).toEqual(values)
    }),
  )
})

test('a text that is no list of rows is refused', () => {
  for (const text of ['{}', '[1]', '[["an id"]]']) expect(() => valuesIn(text as ValueRows)).toThrow(TypeError)
})

test('letter masks differ only for words that are not similar', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'é', 'Ж', '4'), minLength: 1, maxLength: 14 })
  let apart = 0
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      if (!lettersDiffer(lettersWithSlips(one), lettersWithSlips(other))) return
      apart += 1
      expect(wordSimilarity(one, other)).toBe(0)
    }),
    { numRuns: 2_000 },
  )
  expect(apart).toBeGreaterThan(100)
})

test('a comparison is symmetric and repeatable, and the fast filters of a run keep exactly the pairs of the whole comparison', () => {
  fc.assert(
    fc.property(facts, facts, (one, other) => {
      const compared = (...pair: Facts[]) => {
        const reader = createRecordReader()
        const [a, b] = pair.map((each, at) => reader.read(input({ id: `r${at}`, ...each })))
        if (a === undefined || b === undefined) throw new Error('Two records are compared.')
        reader.settle(reader.commonWords())
        const { total } = compareRecords(a, b, createComparison())
        const { add, most } = createOutlines()
        for (const [at, record] of [a, b].entries()) add(record, at)
        expect(most(0, 1)).toBeGreaterThanOrEqual(total)
        expect(most(1, 0)).toBe(most(0, 1))
        for (const known of [[], [most(0, 1)]])
          expect(isKept(a, b, createComparison(), ...known)).toBe(total >= leastKeptWeight)
        return total
      }
      expect(compared(other, one)).toBe(compared(one, other))
    }),
    { numRuns: 2_000 },
  )
})

test('suggestions do not depend on the order of the records', () => {
  fc.assert(
    fc.property(fc.array(facts, { minLength: 2, maxLength: 12 }), fc.integer(), (all, seed) => {
      const named = all.map((one, at) => ({ id: `n${at}`, ...one }))
      const shuffled = named.toSorted(
        (a, b) => ((Number(a.id.slice(1)) * 7 + seed) % 13) - ((Number(b.id.slice(1)) * 7 + seed) % 13),
      )
      expect(suggestions(shuffled)).toEqual(suggestions(named))
    }),
    { numRuns: 100 },
  )
})

test('each pair that shares a key is compared once, and kept pairs are in pair order', () => {
  fc.assert(
    fc.property(fc.array(facts, { minLength: 2, maxLength: 12 }), (all) => {
      const reader = createRecordReader()
      const records = all.map((one, at) => reader.read(input({ id: `r${String(at).padStart(2, '0')}`, ...one })))
      reader.settle(reader.commonWords())
      const keys = records.map((record) => new Set(blockingKeys(record)))
      const sharing = records.flatMap((_, a) =>
        [...records.keys()].flatMap((b) => (b > a && !keys[a]?.isDisjointFrom(keys[b] ?? new Set()) ? [[a, b]] : [])),
      )
      const compared: number[][] = []
      const kept: number[][] = []
      matchSet(records, (a, b) => kept.push([a, b]), { onPair: (a, b) => compared.push([a, b]) })
      const inOrder = (pairs: number[][]) => pairs.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)
      expect(inOrder(compared)).toEqual(sharing)
      expect(kept).toEqual(inOrder(kept))
    }),
    { numRuns: 200 },
  )
})

test('keys are unique integers that every store represents exactly', () => {
  fc.assert(
    fc.property(facts, (one) => {
      const keys = blockingKeys(createRecordReader().read(input(one)))
      expect(keys).toEqual([...new Set(keys)])
      expect(keys.every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true)
    }),
  )
})

test.for([
  ['karoo', 'karoo', 0],
  ['karoo', 'kaoro', 1],
  ['karoo', 'karo', 1],
  ['karoo', 'marula', 3],
  ['', 'ab', 2],
] as const)('%s and %s are %i slips apart, counted to two', ([a, b, slips]) => {
  expect(editDistance(a, b, 2)).toBe(slips)
})

test('logarithms and scores are mathematically correct and use only exactly rounded operations', () => {
  for (const value of [1, 2, 3, 10, 1_000, 65_535])
    expect(Math.abs(log2Thousandths(value) - Math.log2(value) * 1_000)).toBeLessThan(1.5)
  for (const weight of [-30_000, -3_170, 0, 1_585, 3_170, 9_999])
    expect(scoreOf(weight)).toBeCloseTo(1 / (1 + 2 ** (-weight / 1_000)), 3)
  expect([scoreOf(leastKeptWeight - 1), scoreOf(leastKeptWeight)]).toEqual([0.7499, 0.75])
  expect([0.7499, 0.75, 0.8999, 0.9, 1].map(bandOf)).toEqual([null, 'review', 'review', 'strong', 'strong'])
})

test('the configuration is frozen: a change requires a new algorithm version and a new checksum', () => {
  expect([ALGORITHM_VERSION, sha256(JSON.stringify(configuration)).slice(0, 16)]).toEqual([
    'additive-6',
    '247c739b29f3f141',
  ])
})

test('a comparison of many records reports progress while blocks are built, so that it can be stopped', () => {
  const reader = createRecordReader()
  const twins = Array.from({ length: 1_200 }, (_, n) => `info@${sha256(String(n)).slice(0, 12)}.co.za`)
  const records = twins
    .flatMap((email, n) => [input({ id: `a${n}`, email }), input({ id: `b${n}`, email })])
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((one) => reader.read(one))
  reader.settle(reader.commonWords())
  const told: (number | 'compared')[] = []
  matchSet(records, () => undefined, {
    onPair: () => told.push('compared'),
    onProgress: (done) => told.push(done),
  })
  const beforeComparing = told.slice(0, told.indexOf('compared'))
  expect(beforeComparing.length).toBeGreaterThan(1)
  expect(new Set(beforeComparing)).toEqual(new Set([0]))
})
