import { test } from 'vitest'
import { likelyKind } from '../../normalization/normalization.ts'
import { type EntryValue, isRefused, readEntry } from './entry.rules.ts'

type Kind = EntryValue['kind']

function readAs(kind: Kind, value: string): string {
  const read = readEntry({ kind, value, region: null, scope: 'exact' })
  return isRefused(read) ? read.code : read.normalized
}

test('an entry pasted with invisible characters, or in quotation marks, blocks the intended value', ({ expect }) => {
  for (const pasted of [
    '\u200bjan@karoo.co.za',
    '\u2068jan@karoo.co.za\u2069',
    '“jan@karoo.co.za”',
    '‘jan＠karoo.co.za’',
  ])
    expect(readAs('email', pasted)).toBe('jan@karoo.co.za')
  for (const pasted of ['\u202a+27 82 123 4567\u202c', '＋２７８２１２３４５６７'])
    expect(readAs('phone', pasted)).toBe('+27821234567')
  expect(readAs('domain', '\u200bvlei.co.za\u200b')).toBe('vlei.co.za')
  const lines = ['\u202a+27 82 123 4567\u202c', '０８２１２３４５６７', 'jan＠karoo.co.za', '“vlei.co.za”']
  expect(lines.map(likelyKind)).toEqual(['phone', 'phone', 'email', 'domain'])
})

test('a page at a host with pages of anybody is refused as an entry, also after a hash', ({ expect }) => {
  for (const value of ['https://twitter.com/#!/karoo', 'linkedin.com/#/in/karoo'])
    expect(readEntry({ kind: 'domain', value, region: null, scope: 'exact' })).toMatchObject({ code: 'shared_host' })
})

test.for<[Kind, string, EntryValue['scope'], string]>([
  ['domain', 'co.za', 'with_subdomains', 'public_suffix'],
  ['domain', 'za', 'exact', 'not_a_domain'],
  ['domain', 'gov.za', 'with_subdomains', 'public_suffix'],
  ['domain', 'github.io', 'with_subdomains', 'public_suffix'],
  ['domain', 'gmail.com', 'exact', 'free_mail'],
  ['domain', 'mweb.co.za', 'exact', 'free_mail'],
  ['domain', 'mail.yahoo.com', 'exact', 'free_mail'],
  ['domain', 'facebook.com/karoo', 'exact', 'free_mail'],
  ['domain', 'https://za.linkedin.com/company/karoo', 'exact', 'shared_host'],
  ['domain', 'wa.me/27821234567', 'exact', 'shared_host'],
  ['domain', 'info@karoo.co.za', 'exact', 'not_a_domain'],
  ['domain', '10.0.0.1', 'exact', 'not_a_domain'],
  ['domain', 'localhost', 'exact', 'not_a_domain'],
  ['phone', '082 123 4567', 'exact', 'no_country_context'],
  ['phone', 'ask for Jan', 'exact', 'not_a_phone_number'],
  ['email', 'jan at karoo', 'exact', 'not_an_email_address'],
  ['email', 'a@b.co.za, c@d.co.za', 'exact', 'several_addresses'],
  ['email', 'a@b.co.za', 'with_subdomains', 'scope_only_for_domains'],
  ['phone', '+27821234567', 'with_subdomains', 'scope_only_for_domains'],
])('an entry of the kind %s for %s (%s) is refused: %s', ([kind, value, scope, code], { expect }) => {
  expect(readEntry({ kind, value, region: null, scope })).toMatchObject({ code, message: expect.stringMatching(/\.$/) })
})

test('the refusal of a number of impossible length does not state that it would block nobody: a record can contain it', ({
  expect,
}) => {
  const read = readEntry({ kind: 'phone', value: '082 555 884', region: 'ZA', scope: 'exact' })
  expect(read).toMatchObject({ message: expect.stringContaining('Check the number') })
  expect(read).toMatchObject({ message: expect.not.stringContaining('block nobody') })
})

test.for([
  ['(847) 488-9988', 'US', '+18474889988'],
  ['+27 82 123 4567', 'US', '+27821234567'],
  // No network uses this number, and it could belong to another country.
  ['(555) 010-1234', 'US', '+15550101234'],
  ['082 123 4567', 'GB', 'no_such_number'],
  ['12346', 'US', 'not_a_phone_number'],
  ['847-488-9988, 626-204-2266', 'US', 'several_numbers'],
  ['(847) 488-9988', null, 'no_country_context'],
  ['+2782555884', null, 'impossible_number'],
  ['+2782555884', 'ZA', 'impossible_number'],
  ['082 555 884', 'ZA', 'impossible_number'],
  ['+27 11 555 884', null, 'impossible_number'],
  ['+27 82 555 884444', null, 'impossible_number'],
] as const)('an entry for the number %s with the country %s is for %s', ([value, region, expected], { expect }) => {
  const read = readEntry({ kind: 'phone', value, region, scope: 'exact' })
  expect(isRefused(read) ? read.code : read.normalized).toBe(expected)
})
