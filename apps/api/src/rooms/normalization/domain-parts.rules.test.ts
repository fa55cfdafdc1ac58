import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isFreeMailDomain,
  isPublicSuffix,
  isRoleMailbox,
  registrableDomain,
  SUFFIX_LIST_SHA256,
  SUFFIX_LIST_VERSION,
} from './domain-parts.rules.ts'

test('version and digest of the suffix list equal those of the installed package', () => {
  const folder = dirname(dirname(dirname(createRequire(import.meta.url).resolve('tldts'))))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  expect(SUFFIX_LIST_VERSION).toBe(`tldts-${version}`)
  const rules = readFileSync(join(folder, 'dist/cjs/src/data/trie.js'))
  expect(SUFFIX_LIST_SHA256).toBe(createHash('sha256').update(rules).digest('hex'))
})

test.for([
  ['shop.karoo.co.za', 'karoo.co.za'],
  ['karoo.co.za', 'karoo.co.za'],
  ['a.b.karoo.org.za', 'karoo.org.za'],
  ['karoo.github.io', 'karoo.github.io'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ['co.za', undefined],
] as const)('%s belongs to %s', ([domain, registrable]) => {
  expect(registrableDomain(domain)).toBe(registrable)
})

test.for([
  ['gmail.com', true],
  ['mweb.co.za', true],
  ['telkomsa.net', true],
  ['vodamail.co.za', true],
  ['iafrica.com', true],
  ['karoo.co.za', false],
] as const)('whether %s is free mail: %s', ([domain, isFree]) => {
  expect(isFreeMailDomain(domain)).toBe(isFree)
})

test.for([
  ['info', true],
  ['navrae', true],
  ['sales.jhb', true],
  ['root', true],
  ['privacy', true],
  ['no-reply', true],
  ['thandi', false],
] as const)('whether %s@ is the mailbox of a function: %s', ([local, isRole]) => {
  expect(isRoleMailbox(local)).toBe(isRole)
})

test('a host that cannot be registered is a public suffix, with any option of the library', () => {
  const suffix = fc.constantFrom(
    'co.za',
    'za',
    'github.io',
    'ck',
    'www.ck',
    's3.amazonaws.com',
    'kawasaki.jp',
    'city.kawasaki.jp',
    'example',
  )
  const labels = fc.array(fc.stringMatching(/^[a-z0-9]{1,3}$/), { maxLength: 2 })
  fc.assert(
    fc.property(labels, suffix, (below, end) => {
      const host = [...below, end].join('.')
      expect(isPublicSuffix(host)).toBe(registrableDomain(host) === undefined)
    }),
    { numRuns: 1_000 },
  )
})
