import { expect, test } from 'vitest'
import { readBusinessName } from '../../normalization/normalization.ts'
import type { Finding } from './findings.rules.ts'
import { reasonsOf } from './reasons.rules.ts'
import type { RecordNames } from './written-names.rules.ts'

const named = (name: string, tradingName: string | null = null): RecordNames => ({ name, tradingName })

/** Returns the text of the reason for two compared names, given the names that the pair has now. */
function nameReason(finding: string, compared: readonly string[], pair: readonly [RecordNames, RecordNames]): string {
  const values = compared.map((name) => readBusinessName(name).canonical).sort()
  const found: Finding = { field: 'name', finding, weight: 4_000, values, records: 2 }
  return reasonsOf([found], pair)[0]?.text ?? ''
}

test.for([
  ['same', 'Karoo Loodgieters', 'Karoo Plumbing (Pty) Ltd', 'same name, translated: loodgieters = plumbing'],
  ['same', 'Karoo Plumbers', 'Karoo Plumbing', 'same name, written differently: plumbers = plumbing'],
  ['same', 'Karoo Plumbing CC', 'KAROO PLUMBING', 'same name: “KAROO PLUMBING” and “Karoo Plumbing CC”'],
  ['same', 'Karoo Plumbing', 'Karoo Plumbing', 'same name “Karoo Plumbing”'],
  [
    'slip',
    'Karoo Windpumps',
    'Karoo Windpmups CC',
    'the names differ by a typing slip: “Karoo Windpmups CC” and “Karoo Windpumps”',
  ],
  ['alike', 'Karoo Loodgieters', 'Kaap Plumbing', 'similar names: “Kaap Plumbing” and “Karoo Loodgieters”'],
  ['differs', 'Joe’s Deli', 'H & M', 'different names: “H & M” and “Joe’s Deli”'],
] as const)('%s: %s and %s are quoted as the records have them', ([finding, one, other, text]) => {
  expect(nameReason(finding, [one, other], [named(one), named(other)])).toBe(text)
  expect(nameReason(finding, [one, other], [named(other), named(one)])).toBe(text)
})

test('the compared name is quoted: the trading name, and the part after "t/a" of a full name', () => {
  const compared = ['Karoo Loodgieters', 'Karoo Plumbing']
  const pair = [named('Botha Holdings', 'Karoo Loodgieters'), named('Smit (Pty) Ltd', 'Karoo Plumbing')] as const
  expect(nameReason('same', compared, pair)).toBe('same name, translated: loodgieters = plumbing')
  const behind = [named('Botha Holdings t/a Karoo Loodgieters'), named('Karoo Plumbing')] as const
  expect(nameReason('same', ['Karoo Plumbing', 'Karoo Plumbing'], behind)).toContain(
    '“Botha Holdings t/a Karoo Loodgieters”',
  )
})

test('quotes the names as compared when a record has been renamed since', () => {
  const pair = [named('Botha Attorneys'), named('Karoo Plumbing')] as const
  expect(nameReason('same', ['Karoo Loodgieters', 'Karoo Plumbing'], pair)).toBe('same name “karoo plumbing”')
})
