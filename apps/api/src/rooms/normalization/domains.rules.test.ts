import fc from 'fast-check'
import { expect, test } from 'vitest'
import { domainReasons, readDomainName, unitOf } from './domains.rules.ts'
import { normalizeIdentifier } from './identifiers.rules.ts'

const reasonOf = (value: string) => readDomainName(value).reason

test.for([
  ['https://www.Shop.Karoo.co.za:8443/a?b#c', 'www.shop', 'karoo.co.za', 'co.za'],
  ['karoo.co.za.', null, 'karoo.co.za', 'co.za'],
  ['www.ck', null, 'www.ck', 'ck'],
  ['a.b.city.kawasaki.jp', 'a.b', 'city.kawasaki.jp', 'kawasaki.jp'],
] as const)(
  '%s is divided into subdomain %s, registrable %s and suffix %s',
  ([value, subdomain, registrable, suffix]) => {
    expect(readDomainName(value)).toMatchObject({ subdomain, registrable, suffix, reason: null })
  },
)

test.for([
  ['karoo.co.za', 'icann', null],
  ['karoo.github.io', 'private', 'private_suffix'],
  ['shop.karoo.example', 'unknown', 'reserved_suffix'],
  ['karoo.test', 'unknown', 'reserved_suffix'],
  ['printer.lan', 'unknown', 'unknown_suffix'],
] as const)('the suffix of %s is %s, with the reason %s', ([value, suffixKind, reason]) => {
  expect(readDomainName(value)).toMatchObject({ suffixKind, reason })
})

test('a name in another script has an ASCII and a Unicode form', () => {
  expect(readDomainName('BÜCHER.de')).toMatchObject({ ascii: 'xn--bcher-kva.de', unicode: 'bücher.de', reason: null })
  expect(readDomainName('xn--bcher-kva.de')).toEqual(readDomainName('bücher.de'))
})

test.for([
  ['co.za', 'public_suffix'],
  ['github.io', 'public_suffix'],
  ['printer.lan', 'unknown_suffix'],
  ['com.za', 'unknown_suffix'],
  ['localhost', 'localhost'],
  ['LOCALHOST.', 'localhost'],
  ['api.localhost', 'localhost'],
  ['karoo', 'single_label'],
  ['com', 'single_label'],
  ['bücher', 'single_label'],
  ['', 'malformed'],
  [' ', 'malformed'],
  ['.', 'malformed'],
  ['.karoo.co.za', 'malformed'],
  ['karoo..co.za', 'malformed'],
  ['_dmarc.karoo.co.za', 'malformed'],
  ['*.karoo.co.za', 'malformed'],
  ['karoo\u0000.co.za', 'malformed'],
  ['ka roo.co.za', 'malformed'],
  ['info@karoo.co.za', 'malformed'],
  ['%6b.co.za', 'malformed'],
  ['xn--a.de', 'malformed'],
  ['xn--zn7c.com', 'malformed'],
  ['xn--1ug.example', 'malformed'],
  ['256.1.1.1', 'malformed'],
  [`${'a'.repeat(64)}.co.za`, 'malformed'],
  ['x'.repeat(10_000), 'malformed'],
  [`${'1.'.repeat(5_000)}1`, 'malformed'],
  ['127.0.0.1', 'ip_literal'],
  ['127.1', 'ip_literal'],
  ['0x7f.1', 'ip_literal'],
  ['0177.0.0.1', 'ip_literal'],
  ['2130706433', 'ip_literal'],
  ['http://2130706433/', 'ip_literal'],
  ['１２７。0.0.1', 'ip_literal'],
  ['%31.2.3.4', 'ip_literal'],
  ['::1', 'ip_literal'],
  ['http://[::1]:80/', 'ip_literal'],
  ['::ffff:127.0.0.1', 'ip_literal'],
] as const)('%s is unresolved: %s', ([value, reason]) => {
  expect(reasonOf(value)).toBe(reason)
})

test('a host under a private suffix has the public and the private boundary', () => {
  const reading = readDomainName('shop.karoo.github.io')
  expect(reading).toMatchObject({
    reason: 'private_suffix',
    registrable: 'github.io',
    privateBoundary: 'karoo.github.io',
    subdomain: 'shop',
    suffix: 'github.io',
    suffixKind: 'private',
  })
  expect(unitOf(reading)).toBe('karoo.github.io')
  expect(unitOf(readDomainName('github.io'))).toBeNull()
})

const typed = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.domain(),
  fc.webUrl(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc
    .array(
      fc.constantFrom(
        'co',
        'za',
        'github',
        'io',
        'lan',
        'example',
        'karoo',
        'xn--a',
        'xn--bcher-kva',
        '_',
        '',
        'ck',
        'www',
      ),
      {
        maxLength: 5,
      },
    )
    .map((labels) => labels.join('.')),
)

test('a value has at most one reason; without one it has a registrable domain, and a private suffix has both boundaries', () => {
  fc.assert(
    fc.property(typed, (value) => {
      const reading = readDomainName(value)
      expect([null, ...domainReasons]).toContain(reading.reason)
      if (reading.reason === null) expect([reading.registrable === null, reading.suffixKind]).toEqual([false, 'icann'])
      if (reading.reason === 'private_suffix')
        expect([reading.registrable, reading.privateBoundary]).not.toContain(null)
      expect(reading.ascii === null).toBe(
        ['malformed', 'single_label', 'localhost', 'ip_literal'].includes(reading.reason ?? ''),
      )
    }),
    { numRuns: 3_000 },
  )
})

test('reading an ASCII or a Unicode form again gives the same result', () => {
  fc.assert(
    fc.property(typed, (value) => {
      const reading = readDomainName(value)
      expect(readDomainName(value)).toEqual(reading)
      if (reading.ascii !== null) expect(readDomainName(reading.ascii)).toEqual(reading)
      if (reading.unicode !== null) expect(readDomainName(reading.unicode)).toEqual(reading)
    }),
    { numRuns: 3_000 },
  )
})

test('records and this reading know the same domains, apart from www', () => {
  fc.assert(
    fc.property(typed, (value) => {
      const { normalized, uncertainty } = normalizeIdentifier('domain', value)
      const { ascii, reason } = readDomainName(value)
      if (/^www\./.test(ascii ?? 'www.')) return
      if (normalized === null) expect(uncertainty).toBe(reason)
      else {
        expect(ascii).toBe(normalized)
        expect([null, 'private_suffix', 'reserved_suffix']).toContain(reason)
      }
    }),
    { numRuns: 3_000 },
  )
})
