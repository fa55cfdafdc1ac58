import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameKeyOf, searchFold, searchForms } from './search-folding.rules.ts'

const alike: readonly (readonly string[])[] = [
  [
    'Qcurl’s Kitchen',
    "Qcurl's Kitchen",
    'Qcurls Kitchen',
    'Qcurl`s Kitchen',
    'Qcurlʼs Kitchen',
    'QCURL S KITCHEN'.replace(' S', ' s'),
  ],
  ['A.B.C. Motors', 'ABC Motors', 'A B C Motors', 'A-B-C Motors', 'A. B. C. Motors'],
  ['Jan & Seuns', 'Jan and Seuns', 'Jan en Seuns', "Jan 'n Seuns", 'Jan ’n’ Seuns', 'Jan+Seuns', 'JAN  AND SEUNS'],
  ['Coca-Cola', 'Coca‑Cola', 'Coca–Cola', 'COCACOLA'],
  ['Karoo Bulk', 'Karoo Bulk (Pty) Ltd', 'KAROO BULK PTY LTD', 'Karoo Bulk Proprietary Limited', 'Karoo Bulk CC'],
  [
    'Karoo Bulk',
    'Karoo Bulk (Edms) Bpk',
    'Karoo Bulk NPC',
    'Karoo Bulk Inc.',
    '“Karoo Bulk”',
    'Karoo\u200b Bulk\u200e',
  ],
  ['Smørbrød Łódź Đồng', 'Smorbrod Lodz Dong', 'SMØRBRØD ŁÓDŹ ĐỒNG'],
  ['Café', 'Cafe', 'Cafe\u0301', 'ＣＡＦＥ'],
  ['Straße', 'Strasse'],
  ["Rock'n'Roll", 'Rock’n’Roll', 'Rock & Roll', "Rock 'n' Roll", 'Rock and Roll'],
  ['Karoo Bulk (Proprietary) Ltd', 'Karoo Bulk (Eiendoms) Bpk', 'Karoo Bulk'],
]

test.each(alike)('%s has one form in all its spellings', (...spellings) => {
  for (const one of spellings) {
    expect([one, searchFold(one)]).toEqual([one, searchFold(spellings[0] ?? '')])
    expect([one, nameKeyOf(one)]).toEqual([one, nameKeyOf(spellings[0] ?? '')])
  }
})

test.for([
  ['Karoo Bulk', 'Karoo Bulk Two'],
  ['Karoo Trust', 'Karoo'],
  ['Karoo Company', 'Karoo'],
  ['100% Wool', '100 Wool'],
  ['C# Shop', 'C Shop'],
  ['Toyota SA', 'Toyota'],
])('%s and %s are different names', ([one, other]) => {
  expect(nameKeyOf(one ?? '')).not.toBe(nameKeyOf(other ?? ''))
})

test('hyphens and dots join the parts of a word, and also separate them', () => {
  expect(searchForms('Coca-Cola')).toEqual(['cocacola', 'coca cola'])
  expect(searchForms('A.B.C.')).toEqual(['abc', 'a b c'])
  expect(searchForms('Karoo')).toEqual(['karoo'])
  expect(searchForms('🙂')).toEqual([])
})

test('a name that is only a legal form, a connector or pictures keeps a key', () => {
  for (const name of ['(Pty) Ltd', 'En', '&', '🙂🙂', '%%%', 'The', 'CC'])
    expect([name, nameKeyOf(name)]).not.toEqual([name, ''])
})

test('a folded text consists of words of printable ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const folded = searchFold(text)
      expect(folded).toMatch(/^[\x21-\x7e]*(?: [\x21-\x7e]+)*$/)
    }),
  )
})

test.for(['㌖', 'ﷺ', '…', '⁗', 'a-', "a's ", 'a ', 'ab s.', 'Pty ', '& '])(
  'a text that repeats %j is folded in bounded time and to a bounded length',
  (part) => {
    searchForms(part.repeat(1_000))
    const began = performance.now()
    for (let round = 0; round < 10; round++)
      for (const form of searchForms(part.repeat(100_000))) expect(form.length).toBeLessThanOrEqual(8_000)
    expect(performance.now() - began).toBeLessThan(500)
  },
)
