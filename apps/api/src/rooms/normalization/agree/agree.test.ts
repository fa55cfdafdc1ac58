import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelledPairs } from './agree.pairs.data.ts'
import { agree, agreeWith } from './agree.ts'
import { agreementReasons, type ComparedField } from './agreement.ts'

test('the table has at least 300 pairs, some of every field, and every reason', () => {
  expect(labelledPairs.length).toBeGreaterThanOrEqual(300)
  const fields = new Set(labelledPairs.map(({ field }) => field))
  expect(fields.size).toBe(15)
  const reasons = new Set(labelledPairs.map(({ reason }) => reason))
  expect(agreementReasons.filter((reason) => !reasons.has(reason) && reason !== 'too_long')).toEqual([])
})

test.for(labelledPairs)('$field: $one ~ $other is $answer', ({ field, one, other, answer, reason }) => {
  expect(agree(field, one, other)).toEqual({ answer, reason })
  expect(agree(field, other, one)).toEqual({ answer, reason })
})

test('a local number is read for the country of the record', () => {
  expect(agree('phone', '021 555 6601', '+27 21 555 6601', 'ZA')).toEqual({ answer: 'same', reason: null })
  expect(agree('phone', '021 555 6601', '+27 21 555 6602', 'ZA')).toEqual({ answer: 'different', reason: null })
})

const fields = [...new Set(labelledPairs.map(({ field }) => field))]
const values = labelledPairs.flatMap(({ one, other }) => [one, other])

test('two values agree alike in both directions, and every value agrees with itself', () => {
  const value = fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'grapheme', maxLength: 40 }))
  fc.assert(
    fc.property(fc.constantFrom(...fields), value, value, (field, one, other) => {
      expect(agree(field, other, one)).toEqual(agree(field, one, other))
      expect(['same', 'unknown']).toContain(agree(field, one, one).answer)
    }),
    { numRuns: 3_000 },
  )
})

const unseen = ['\u200b', '\u200c', '\u00ad', '\u2060', '\ufeff', '\u200e', '\u202a']

/** Ways to write any value otherwise. */
const anySpelling: ((text: string, at: number) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `  ${text.replaceAll(' ', '  ')} `,
  (text) => text.replaceAll(' ', '\u00a0'),
  (text) => text.replaceAll(' ', '\t'),
  (text) => text.normalize('NFD'),
  (text, at) =>
    text.slice(0, at % (text.length + 1)) + (unseen[at % unseen.length] ?? '') + text.slice(at % (text.length + 1)),
  (text) => text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
]
const apostrophes = ["'", '’', '‘', 'ʼ', '`', '´', '′', '＇', '']
const swapped = (from: RegExp, to: readonly string[]) => (text: string, at: number) =>
  text.replace(from, to[at % to.length] ?? '')

/** Ways to write a value of one field otherwise. */
const spellings: Partial<Record<ComparedField, ((text: string, at: number) => string)[]>> = {
  name: [
    swapped(/['’]/g, apostrophes),
    swapped(/ & /g, [' and ', ' + ', '&', ' en ', ' ＆ ']),
    swapped(/\(Pty\) Ltd/g, [
      'PTY LTD',
      'Pty. Ltd.',
      '(PTY) Limited',
      'Proprietary Limited',
      '(Edms) Bpk',
      '（Pty） Ltd',
      'pty ltd.',
    ]),
    swapped(/ CC$/, [' cc', ' C.C.', ' Close Corporation', ' BK']),
    (text) => text.replaceAll(' ', ' - '),
    (text) => `${text}.`,
    (text) => `"${text}"`,
    (text) => text.replaceAll(' ', '.'),
  ],
  'address.street': [
    swapped(/ Street\b/g, [' St', ' St.', ' Str', ' STREET', ' str.']),
    swapped(/ Road\b/g, [' Rd', ' Rd.', ' rd', ' ROAD']),
    swapped(/ Avenue\b/g, [' Ave', ' Ave.', ' Av', ' avenue']),
    (text) => text.replace(/^(\d+) /, 'No. $1 '),
    (text) => text.replace(/^(\d+) /, '$1, '),
    (text) => text.replace(/^(\d+) (.+)$/, '$2 $1'),
    swapped(/['’]/g, apostrophes),
  ],
  registrationNumber: [
    swapped(/\//g, [' / ', '-', ' ', '.', '／', '']),
    (text) => `Reg. No. ${text}`,
    (text) => `(${text})`,
  ],
  phone: [
    (text) => text.replaceAll(' ', '-'),
    (text) => text.replaceAll(' ', ''),
    (text) => text.replaceAll(' ', '.'),
    (text) => text.replaceAll(' ', '\u2011'),
    (text) => text.replace('+27 ', '0027 '),
    (text) => text.replace('+27 ', '+27 (0)'),
    (text) => text.replace('+27 ', '0'),
    (text) => `Tel: ${text}`,
    (text) => `${text} ext. 4`,
  ],
  domain: [(text) => `www.${text}`, (text) => `https://${text}/`, (text) => `http://www.${text}`, (text) => `${text}.`],
  'address.city': [
    swapped(/['’]/g, apostrophes),
    (text) => text.replaceAll(' ', '-'),
    (text) => text.replaceAll(' ', ''),
  ],
  'address.suburb': [
    swapped(/['’]/g, apostrophes),
    (text) => text.replaceAll(' ', '-'),
    (text) => text.replaceAll(' ', ''),
  ],
  'address.country': [(text) => text.replaceAll(' ', '-'), (text) => `${text}.`],
  'address.province': [(text) => text.replaceAll(' ', '-'), (text) => `${text} Province`, (text) => `${text}.`],
  'address.postalCode': [(text) => text.replace(/^0+/, ''), (text) => `${text}.0`],
}

const bases: Partial<Record<ComparedField, readonly string[]>> = {
  name: [
    "Nando's Grill (Pty) Ltd",
    'Smith & Sons CC',
    'Karoo Trading',
    "O'Brien & Daughters (Pty) Ltd",
    'Springbok Motors 44',
    'Café Zoë',
  ],
  industry: ['Guest House', 'Plumbing', 'Food & Beverages', 'Motor spares'],
  'address.street': [
    '12 Church Street',
    '7 Nelson Mandela Road',
    "3 St George's Road",
    '45 5th Avenue',
    '9 Van der Merwe Street',
  ],
  'address.suburb': ['Sea Point', 'De Waterkant', "Mitchell's Plain"],
  'address.city': ['Cape Town', 'Port Elizabeth', 'Somerset West', "King William's Town", 'Sutherland'],
  'address.province': ['Western Cape', 'Gauteng', 'KwaZulu-Natal', 'North West'],
  'address.postalCode': ['0081', '8001'],
  'address.country': ['South Africa', 'Namibia', 'United Kingdom'],
  registrationNumber: ['2015/123456/07', '1998/012345/23'],
  phone: ['+27 21 555 6601', '+27 82 555 8834'],
  email: ['jan@karoo.co.za'],
  domain: ['karoo.co.za', 'vlei.wixsite.com'],
  text: ['Open from Monday to Friday'],
}

test('two spellings of one value are never different', () => {
  const cases = Object.entries(bases) as [ComparedField, readonly string[]][]
  const way = fc.tuple(fc.nat(), fc.nat(30))
  // A text is first written otherwise in a way of its field, and then in any ways of a keyboard or a program.
  const spelled = fc.record({ ofField: fc.option(way), ofAny: fc.array(way, { maxLength: 3 }) })
  const one = fc
    .constantFrom(...cases)
    .chain(([field, texts]) =>
      fc.record({ field: fc.constant(field), base: fc.constantFrom(...texts), left: spelled, right: spelled }),
    )
  const apply = (ways: (typeof anySpelling)[number][], text: string, [which, at]: [number, number]) =>
    ways[which % Math.max(1, ways.length)]?.(text, at) ?? text
  fc.assert(
    fc.property(one, ({ field, base, left, right }) => {
      const texts = [left, right].map(({ ofField, ofAny }) => {
        const written = ofField === null ? base : apply(spellings[field] ?? [], base, ofField)
        return ofAny.reduce((text, step) => apply(anySpelling, text, step), written)
      })
      const [text = '', otherText = ''] = texts
      expect(agree(field, text, otherText).answer, `${text} ~ ${otherText}`).not.toBe('different')
    }),
    { numRuns: 10_000 },
  )
})

test('a text that is too long, also after Unicode normalization, is not compared', () => {
  expect(agree('name', 'a'.repeat(1_001), 'b')).toEqual({ answer: 'unknown', reason: 'too_long' })
  expect(agree('name', 'ﷺ'.repeat(400), 'b')).toEqual({ answer: 'unknown', reason: 'too_long' })
  expect(agree('name', 'ﷺ'.repeat(400), 'ﷺ'.repeat(400)).answer).toBe('same')
})

test('one value is read once for many comparisons', () => {
  const compare = agreeWith('name', 'Karoo Grill (Pty) Ltd')
  expect([compare('karoo grill pty ltd'), compare('Vleiland')].map(({ answer }) => answer)).toEqual([
    'same',
    'different',
  ])
})
