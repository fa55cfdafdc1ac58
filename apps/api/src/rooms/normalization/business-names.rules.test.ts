import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDescriptiveWord, readBusinessName } from './business-names.rules.ts'

test.for([
  ['Karoo Plumbing (Pty) Ltd', 'karoo plumbing', 'private_company'],
  ['KAROO PLUMBERS PTY LTD', 'karoo plumbing', 'private_company'],
  ['Karoo Plumbing (Edms) Bpk', 'karoo plumbing', 'private_company'],
  ['Karoo Plumbing CC', 'karoo plumbing', 'close_corporation'],
  ['Karoo Hope NPC', 'karoo hope', 'non_profit'],
  ['Botha & Botha Inc.', 'botha botha', 'personal_liability'],
  ['Botha and Botha Ingelyf', 'botha botha', 'personal_liability'],
  ['Transnet SOC Ltd', 'transnet', 'state_owned'],
  ['Siemens Aktiengesellschaft', 'siemens', 'public_company'],
  ['OOO "Basis"', 'basis', 'limited_liability'],
  ['Goldman Sachs & Co. L.L.C.', 'goldman sachs', 'limited_liability'],
  ['Volkswagen Gesellschaft mit beschränkter Haftung', 'volkswagen', 'limited_liability'],
  ['Société Générale S.A.', 'societe generale', 'public_company'],
  ['Smith Family Trust', 'smith', 'trust'],
  ['Trust Bank', 'trust bank', null],
  ['Company Gardens', 'company gardens', null],
  ['CC', 'cc', null],
  ['Marula S.p.A.', 'marula', 'public_company'],
  ['Marula SpA', 'marula', 'public_company'],
  ['Marula Spa', 'marula spa', null],
  ['MARULA SPA CC', 'marula spa', 'close_corporation'],
] as const)('the name %s is %s, of the form %s', ([name, canonical, legalForm]) => {
  expect(readBusinessName(name)).toMatchObject({ canonical, legalForm })
})

test.for([
  ['Crêche Olé', 'creche ole'],
  ['H&M', 'hm'],
  ['H and M', 'hm'],
  ['J.P. Morgan', 'jp morgan'],
  ['J P Morgan', 'jp morgan'],
  ["Joe's Deli", 'joes delicatessen'],
  ['Joe s Deli', 'joes delicatessen'],
  ['Joe\uFFFD\u06EAs Deli', 'joes delicatessen'],
  ['Pieter S Botha', 'pieter s botha'],
  ['a and s motors', 'as motors'],
  ['Joe’s Delicatessen', 'joes delicatessen'],
  ['First Bank Int’l', '1st bank international'],
  ['1st Bank International', '1st bank international'],
  ['Brigade Forty-Four', 'brigade 44'],
  ['World Health Organisation', 'world health organization'],
  ['Van Wyk Prokureurs', 'van wyk attorneys'],
  ['Муромский завод', 'muromskii zavod'],
  ['Café 🍕 Olé', 'cafe ole'],
  ['🍕 🍕', '🍕🍕'],
  ['!!!', '!!!'],
  ['The', 'the'],
  ['Marula, The', 'marula'],
  ['Ft. Beaufort Motors', 'fort beaufort motors'],
  ['Rev. Botha Jr.', 'reverend botha junior'],
  ['Eleventh Hour Grille', '11th hour grill'],
] as const)('the name %s reads %s', ([name, canonical]) => {
  expect(readBusinessName(name).canonical).toBe(canonical)
})

test.for([
  ['Marula (Cape Town)', 'marula', ['cape', 'town']],
  ['Marula Grill (Cape Town) (Pty) Ltd', 'marula grill', ['cape', 'town']],
  ['Marula at the Camdeboo', 'marula', ['camdeboo']],
  ['Marula @ Camdeboo CC', 'marula', ['camdeboo']],
  ['Marula at Camdeboo (upstairs)', 'marula', ['camdeboo', 'upstairs']],
  ['Bank (Ireland)', 'bank ireland', undefined],
  ['The Club at Steyn City', 'club at steyn city', undefined],
  ['Karoo Plumbing (Edms) Bpk', 'karoo plumbing', undefined],
  ['R(evolution)', 'r evolution', undefined],
] as const)('the name %s is %s, with the qualifier %j', ([name, canonical, qualifier]) => {
  const read = readBusinessName(name)
  expect([read.canonical, read.qualifier]).toEqual([canonical, qualifier])
})

test.for(['t/a', 'T/A', 'trading as', 't.a.', 'dba'])(
  'the part after "%s" is another name of the same business',
  (said) => {
    expect(readBusinessName(`Karoo Holdings CC ${said} Fix It Plumbing`)).toEqual({
      canonical: 'karoo holdings',
      words: ['karoo', 'holdings'],
      legalForm: 'close_corporation',
      tradingAs: ['fix', 'it', 'plumbing'],
    })
  },
)

test('the kind of business weighs less than its distinctive word', () => {
  expect(['plumbing', 'restaurant', 'trading', 'x'].map(isDescriptiveWord)).toEqual([true, true, true, true])
  expect(['karoo', 'siemens', 'nando'].map(isDescriptiveWord)).toEqual([false, false, false])
})

test('any text is parsed deterministically in bounded time, and parsing the result again changes nothing', () => {
  const words = fc.array(
    fc.constantFrom('Karoo', 'Pty', 'Ltd', 'and', '&', 'CC', 'Forty', 'four', 't/a', 'A.B.', 'Café', 'ООО'),
    {
      maxLength: 9,
    },
  )
  const names = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    words.map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(names, (name) => {
      const read = readBusinessName(name)
      expect(readBusinessName(name)).toEqual(read)
      expect(read.words.length > 0).toBe(name.trim() !== '')
      expect(read.canonical).toBe(read.words.join(' '))
    }),
    { numRuns: 300 },
  )
  expect(readBusinessName('a b '.repeat(5_000)).words.length).toBeLessThanOrEqual(16)
})
