import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from './fold.rules.ts'
import { BEFORE_PEOPLE, searchTerms, searchText, tenantToken, threeByThree } from './search-text.rules.ts'

test('folding is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(fold(fold(text))).toBe(fold(text))
    }),
  )
})

test('accents in either encoding fold alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')))
    }),
  )
})

test('every value and label of a prospect, and the names of its merged records, are lines of its search text, each once, phones in dialled form', () => {
  const text = searchText({
    name: 'Karoo',
    tradingName: 'KAROO',
    registrationNumber: null,
    identifiers: [
      { kind: 'email', original: 'A@karoo.co.za', label: 'Jan’s desk', normalized: 'a@karoo.co.za' },
      { kind: 'phone', original: '082 123 4567', label: null, normalized: '+27821234567' },
      { kind: 'phone', original: 'ask at the gate', label: null, normalized: null },
      { kind: 'domain', original: 'https://karoo.co.za', label: null, normalized: 'karoo.co.za' },
    ],
    merged: [{ name: 'Wéstern-Pumps', tradingName: 'Karoo', registrationNumber: '2015/123456/07' }],
  })
  expect(text.split('\n')).toEqual([
    'karoo',
    'a@karoo.co.za',
    '0821234567',
    '27821234567',
    'https://karoo.co.za',
    'jan’s desk',
    'jans desk',
    'western-pumps',
    'westernpumps',
    'western pumps',
    '2015/123456/07',
  ])
})

test('the other forms of a name are lines before the empty line, unless its literal form contains them', () => {
  const nameLines = (name: string) => {
    const text = searchText({ name, tradingName: name, registrationNumber: null, identifiers: [], merged: [] })
    expect(text.endsWith('\n\n')).toBe(text.trimEnd().includes('\n'))
    return text.trimEnd().split('\n')
  }
  expect(nameLines('Nando’s (Pty) Ltd')).toEqual(['nando’s (pty) ltd', 'nandos'])
  expect(nameLines('Karoo Bulk (Pty) Ltd')).toEqual(['karoo bulk (pty) ltd'])
  expect(nameLines('A.B.C. Øre')).toEqual(['a.b.c. øre', 'abc ore', 'a b c ore'])
})

test('names of people follow a mark of their own, also those that an earlier line contains', () => {
  const text = searchText({
    ...{ name: 'Thandi Nkosi Pumps', tradingName: null, registrationNumber: null, identifiers: [], merged: [] },
    further: { names: ['Thandi Nkosi', 'Zoë O’Brien\f'], identifiers: [] },
  })
  expect(text.split(BEFORE_PEOPLE)).toEqual(['thandi nkosi pumps', 'thandi nkosi\nzoe o’brien\nzoe obrien'])
})

test.for([
  ['Karoo', [['karoo']]],
  ['ka', []],
  ['🙂🙂', []],
  ['Plumbing  Kagiso', [['plumbing', 'kagiso']]],
  ['Plumbing of Kagiso', [['plumbing of', 'kagiso']]],
  ['4 Seasons Catering', [['4 seasons', 'catering']]],
  ['oo wi nd po', [['oo wi nd po']]],
  ['a b', [['a b']]],
  ['Karoo 082 123', [['karoo', '082', '123']]],
  ['082 123', [['082 123'], ['082123']]],
  ['+27 82 123', [['+27 82 123'], ['82123']]],
  ['+27', [['+27']]],
  ['27825550199', [['27825550199'], ['825550199']]],
  ['27 82 555 0199', [['27 82 555 0199'], ['825550199']]],
  ['27 82 555', [['27 82 555'], ['2782555']]],
  ['(082) 123-4567', [['(082) 123-4567'], ['0821234567']]],
  ['(+27) 82 123', [['(+27) 82 123'], ['82123']]],
  ['082\u2010123\u20134567', [['082\u2010123\u20134567'], ['0821234567']]],
  ['(Pty) Ltd', [['pty']]],
  ['24/7', [['24/7'], ['247']]],
  ['2015/123456/07', [['201512345607'], ['2015/123456/07']]],
  ['Karoo Bulk (Pty) Ltd', [['karoo', 'bulk']]],
  ['Nando’s', [['nandos'], ['nando’s']]],
  ['A.B.C.', [['abc'], ['a b c'], ['a.b.c.']]],
  ['Coca-Cola', [['cocacola'], ['coca', 'cola']]],
  ['Jan & Seuns', [['jan', 'seuns']]],
  ['%%%', [['%%%']]],
  ['http://www.zoekmail.co.za/', [['zoekmail.co.za']]],
  ['Website: karoo.co.za', [['karoo.co.za']]],
  ['mailto:jan@karoo.co.za?subject=x', [['jan@karoo.co.za']]],
  ['Jan <jan@karoo.co.za>', [['jan@karoo.co.za']]],
  ['a@karoo', [['a@karoo']]],
  ['tel:+27825558834', [['825558834']]],
  ['082 555 8834 ext 4', [['0825558834'], ['082', '555', '8834', 'ext 4']]],
  ['WhatsApp: 082 555 8834', [['0825558834'], ['whatsapp:', '082', '555', '8834']]],
  ['082-555-8802 (Jan)', [['0825558802'], ['082-555-8802', '(jan)']]],
] as const)('%s searches for %j', ([query, terms]) => {
  expect(searchTerms(query)).toEqual(terms)
})

test('each tenant has a token of three characters of its own, whatever its number', () => {
  const numbers = [1, 2, 5_999, 6_000, 6_001, 35_999_999, 36_000_000, 215_999_999]
  const tokens = numbers.map(tenantToken)
  expect(new Set(tokens).size).toBe(numbers.length)
  for (const token of tokens) expect(token).toMatch(/^\p{Co}{3}$/u)
})

test('the trigrams of a word are parts of it that the index knows, at least one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 3 }), (word) => {
      const parts = threeByThree(word)
      expect(parts.every((part) => word.includes(part) && [...part].length === 3)).toBe(true)
      expect(word.startsWith(parts.join(''))).toBe(true)
      expect([...word].length - 3 * parts.length).toBeLessThan(3)
    }),
  )
})

test('a text that is too short for the index has no terms, also if another form of it is longer', () => {
  expect(searchTerms('n&')).toEqual([])
  expect(searchTerms('R&B')).not.toEqual([])
})
