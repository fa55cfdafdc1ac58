import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listPhoneCountries } from '../../lib/phone-countries.ts'
import type { IdentifierKind } from './identifier-reading.ts'
import { normalizeForBlock, normalizeIdentifier, readIdentifier } from './identifiers.rules.ts'

const normalized = (kind: IdentifierKind, value: string, region?: string) => {
  const { normalized, uncertainty } = normalizeIdentifier(kind, value, region)
  return normalized ?? uncertainty
}

test.for([
  ['Sales@Karoo.CO.ZA', 'sales@karoo.co.za'],
  ['  a@karoo.co.za ', 'a@karoo.co.za'],
  ['a.b+c@karoo.co.za', 'a.b+c@karoo.co.za'],
  ['info@münchen.example', 'info@xn--mnchen-3ya.example'],
  ['a@b', 'not_an_email_address'],
  ['@karoo.co.za', 'not_an_email_address'],
  ['a b@karoo.co.za', 'not_an_email_address'],
  ['a@b@karoo.co.za', 'not_an_email_address'],
  ['Karoo <a@karoo.co.za>', 'not_an_email_address'],
  ['a@karoo.co.za, b@karoo.co.za', 'not_an_email_address'],
  ['a@127.0.0.1', 'not_an_email_address'],
  ['a@-karoo.co.za', 'not_an_email_address'],
  ['a@xn--a.de', 'not_an_email_address'],
  ['a@%6b.co.za', 'not_an_email_address'],
] as const)('the e-mail %s becomes %s', ([value, expected]) => {
  expect(normalized('email', value)).toBe(expected)
})

test.for([
  ['+27 82 123 4567', undefined, '+27821234567'],
  ['0027 82 123 4567', undefined, '+27821234567'],
  ['+27 (0)82 123-4567', undefined, '+27821234567'],
  ['+44 20 7946 0958', 'ZA', '+442079460958'],
  ['082 123 4567', 'ZA', '+27821234567'],
  ['(082) 123.4567', 'ZA', '+27821234567'],
  ['27821234567', 'ZA', '+27821234567'],
  ['0861 123 456', 'ZA', '+27861123456'],
  ['+27 82 123 4567 x12', 'ZA', '+27821234567'],
  ['(011) 440 1234 ext. 205', 'ZA', '+27114401234'],
  ['011 440 1234 uitbr 5', 'ZA', '+27114401234'],
  ['082 123 4567', undefined, 'no_country_context'],
  ['082 123 4567', 'NA', '+264821234567'],
  ['(847) 488-9988', 'US', '+18474889988'],
  ['1-847-488-9988', 'US', '+18474889988'],
  ['011 44 20 7946 0958', 'US', '+442079460958'],
  ['+27 82 123 4567', 'US', '+27821234567'],
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['12346', 'US', 'invalid_phone_number'],
  ['082 123 4567', 'GB', 'invalid_phone_number'],
  ['(847) 488-9988', 'ZA', 'invalid_phone_number'],
  ['(847) 488-9988', undefined, 'no_country_context'],
  ['(847) 488-9988', 'XX', 'no_country_context'],
  ['27821234567', undefined, 'no_country_context'],
  ['0800 12', 'ZA', 'invalid_phone_number'],
  ['1234', 'ZA', 'invalid_phone_number'],
  ['+27 99 123 4567', undefined, 'invalid_phone_number'],
  ['+27 82 555 884', undefined, 'invalid_phone_number'],
  ['082 555 123', 'ZA', 'invalid_phone_number'],
  ['0861 123 4567', 'ZA', '+278611234567'],
  ['+0821234567', 'ZA', 'not_a_phone_number'],
  ['0821234567 / 0837654321', 'ZA', 'not_a_phone_number'],
  ['ask at the gate', 'ZA', 'not_a_phone_number'],
  ['082 CALL NOW', 'ZA', 'not_a_phone_number'],
  ['1'.repeat(61), 'ZA', 'not_a_phone_number'],
] as const)('the phone %s with region %s becomes %s: a country is never guessed', ([value, region, expected]) => {
  expect(normalized('phone', value, region)).toBe(expected)
})

test.for([
  ['\u202a+27 82 123 4567\u202c', undefined, '+27821234567'],
  ['+27\u200b82\u00a0123\u20114567', undefined, '+27821234567'],
  ['082\u2013123\u20134567', 'ZA', '+27821234567'],
  ['082·123·4567', 'ZA', '+27821234567'],
  ['０８２ １２３ ４５６７', 'ZA', '+27821234567'],
  ['𝟎𝟖𝟐 𝟙𝟚𝟛 𝟰𝟱𝟼𝟽', 'ZA', '+27821234567'],
  ['+27 82 123 4567'.padEnd(60), undefined, '+27821234567'],
  ['+27 82 123 4567'.padEnd(61), undefined, 'not_a_phone_number'],
  ['＋27 82 123 4567', undefined, '+27821234567'],
  ['(+27) 82 123 4567', undefined, '+27821234567'],
  ['(0027) 82 123 4567', undefined, '+27821234567'],
  ['tel:+27821234567', undefined, '+27821234567'],
  ['Cell: 082 123 4567;', 'ZA', '+27821234567'],
  ['Cell: 082 123 4567', undefined, 'no_country_context'],
  ['+49 30 12345¹', undefined, 'not_a_phone_number'],
  ['082 123 4567, 083 123 4567', 'ZA', 'not_a_phone_number'],
] as const)(
  'the phone %s, as it is copied out of a page or a telephone, with region %s becomes %s',
  ([value, region, expected]) => {
    expect(normalized('phone', value, region)).toBe(expected)
  },
)

test('invisible characters are removed from addresses, hosts and numbers', () => {
  for (const mark of ['\u00ad', '\u200b', '\u200e', '\u202a', '\u2060', '\u2066', '\ufeff'])
    for (const [kind, value] of [
      ['email', 'jan@karoo.co.za'],
      ['phone', '+27821234567'],
      ['domain', 'karoo.co.za'],
    ] as const)
      for (const at of [0, 3, value.length])
        expect(normalized(kind, `${value.slice(0, at)}${mark}${value.slice(at)}`)).toBe(value)
})

test('a control character inside a value is never deleted: the texts around it are not joined to one value', () => {
  const joined: string[] = []
  const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at)]
  for (const code of [...controls, 0x2028, 0x2029])
    for (const [kind, value] of [
      ['email', 'victim@kappertjie.co.za'],
      ['domain', 'kappertjie.co.za'],
      ['phone', '+27825558826'],
      ['phone', '082 555 8826'],
    ] as const)
      for (let at = 1; at < value.length; at += 1) {
        const typed = `${value.slice(0, at)}${String.fromCodePoint(code)}${value.slice(at)}`
        for (const read of [normalizeIdentifier, normalizeForBlock])
          if (read(kind, typed, 'ZA').normalized !== null) joined.push(typed)
      }
  expect(joined).toEqual([])
})

test('only a block is read from a number that lacks a digit, as by earlier rules', () => {
  for (const [value, region] of [
    ['+27 82 555 884', null],
    ['082 555 123', 'ZA'],
  ] as const)
    expect(normalizeForBlock('phone', value, region).normalized).toMatch(/^\+2782555\d{3}$/)
})

test.for([
  ['ශ්\u200dරී.com', 'xn--10cl1a0b660p.com'],
  ['https://www.نامه\u200cای.com/x', 'xn--mgba3gch31f060k.com'],
  ['\u200dhttps://karo\u200co.co.za', 'karoo.co.za'],
  ['بم\u200b\u200c.com', 'xn--ngb2d.com'],
] as const)(
  'a joiner is part of the host %j where it tells one name from another, and nowhere else',
  ([value, expected]) => {
    expect(normalized('domain', value)).toBe(expected)
    const host = value.replace(/^.*\/\/(?:www\.)?|\/x$/g, '')
    expect(normalized('email', `in\u200dfo@${host}`)).toBe(`info@${expected}`)
  },
)

test('a local number without a country lists its candidates, and an extension is separated', () => {
  expect(readIdentifier('phone', '082 123 4567 x12')).toEqual({
    normalized: null,
    uncertainty: 'no_country_context',
    candidates: expect.arrayContaining(['+27821234567']),
    extension: '12',
  })
  expect(readIdentifier('phone', '+27 82 123 4567 x12').extension).toBe('12')
  expect(readIdentifier('phone', '12').candidates).toEqual([])
})

test.for([
  ['https://www.Karoo.co.za/contact?a=1#b', 'karoo.co.za'],
  ['karoo.co.za.', 'karoo.co.za'],
  ['karoo.co.za:8080', 'karoo.co.za'],
  ['www.karoo.co.za', 'karoo.co.za'],
  ['WWW.www.karoo.co.za', 'karoo.co.za'],
  ['shop.karoo.co.za', 'shop.karoo.co.za'],
  ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
  ['co.za', 'public_suffix'],
  ['com.za', 'unknown_suffix'],
  ['printer.lan', 'unknown_suffix'],
  ['karoo.local', 'unknown_suffix'],
  ['karoo.github.io', 'karoo.github.io'],
  ['xn--a.de', 'malformed'],
  ['shop.xn--a-.co.za', 'malformed'],
  ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
  ['%6b.co.za', 'malformed'],
  ['https://karoo%2eco.za/x', 'malformed'],
  ['karoo.co.za/%6b', 'karoo.co.za'],
  ['127.0.0.1', 'ip_literal'],
  ['http://127.0.0.1:8080/x', 'ip_literal'],
  ['1.2.3', 'ip_literal'],
  ['0x7f.1', 'ip_literal'],
  ['１２７。0.0.1', 'ip_literal'],
  ['[::1]:80', 'ip_literal'],
  ['666.co.za', '666.co.za'],
  ['082 555 0101', 'malformed'],
  ['12345', 'ip_literal'],
  ['karoo', 'single_label'],
  ['localhost', 'localhost'],
  ['karoo..co.za', 'malformed'],
  ['ka roo.co.za', 'malformed'],
  [`${'a'.repeat(64)}.co.za`, 'malformed'],
  [`${'abcdefghij.'.repeat(25)}za`, 'malformed'],
] as const)('the domain %s becomes %s', ([value, expected]) => {
  expect(normalized('domain', value)).toBe(expected)
})

test('normalization is idempotent, and returns either a form or a reason', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.emailAddress(),
    fc.domain(),
    fc.webUrl(),
    fc.stringMatching(/^[+0-9][0-9 ()/.-]{4,18}$/),
  )
  fc.assert(
    fc.property(
      fc.constantFrom<IdentifierKind>('email', 'phone', 'domain'),
      typed,
      fc.constantFrom(null, ...listPhoneCountries().map(({ code }) => code)),
      (kind, value, region) => {
        const first = normalizeIdentifier(kind, value, region)
        expect((first.normalized === null) !== (first.uncertainty === null)).toBe(true)
        if (first.normalized !== null) expect(normalizeIdentifier(kind, first.normalized, null)).toEqual(first)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('the fast path for plain values gives the same result as the general path', () => {
  const plain = fc.stringMatching(
    /^(?:www\.){0,2}[a-zA-Z0-9._+@:/-]{1,14}\.(?:co\.za|za|com|github\.io|ck|xn--p1ai)\.?$/,
  )
  fc.assert(
    fc.property(fc.constantFrom<IdentifierKind>('email', 'domain'), plain, (kind, value) => {
      expect(normalizeIdentifier(kind, value)).toEqual(normalizeIdentifier(kind, ` ${value}`))
    }),
    { numRuns: 2_000 },
  )
})
