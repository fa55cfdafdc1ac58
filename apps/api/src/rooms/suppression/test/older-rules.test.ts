import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { getDomain } from 'tldts'
import { expect, test } from 'vitest'
import {
  entryKey,
  recordKey,
  recordKeysOf,
  recordKeysOfNormalized,
} from '../../contact-gate/keys/contact-keys.rules.ts'
import { normalizeIdentifier } from '../../normalization/normalization.ts'
import { isRefused, readEntry } from '../entries/entry.rules.ts'

/*
 * A frozen copy of how the rules `identifiers-4` read hosts and mailboxes. They accepted malformed A-labels, escapes and nonexistent top-level
 * domains. The current rules must still suppress every value whose key those rules computed.
 */

const hostname = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

function asciiDomain(value: string): string | undefined {
  const ascii = domainToASCII(value.trim()).toLowerCase()
  return ascii.length <= 253 && hostname.test(ascii) ? ascii : undefined
}

function readDomain(value: string): string | undefined {
  const host = value
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(/^(?:www\.)+/i, '')
  const domain = asciiDomain(host)
  return domain === undefined || getDomain(domain, { allowPrivateDomains: true }) === null ? undefined : domain
}

function readEmail(value: string): string | undefined {
  const address = value.trim().normalize('NFC')
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase()
  const domain = asciiDomain(address.slice(at + 1))
  return at < 1 || domain === undefined || /[\s@<>(),;:"]/.test(local) ? undefined : `${local}@${domain}`
}

const label = fc.constantFrom('karoo', 'xn--a', 'xn--mnchen-3ya', 'münchen', '%6b', 'k%61roo', 'printer', 'x1', '12')
const ending = fc.constantFrom(
  'co.za',
  'com.za',
  'de',
  'lan',
  'local',
  'example',
  'github.io',
  'рф',
  '3',
  'xn--a',
  'za',
)
const host = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), ending)
  .map(([labels, end]) => [...labels, end].join('.'))
const typed = fc.oneof(
  host.map((value) => ({ kind: 'domain' as const, value })),
  host.map((value) => ({ kind: 'domain' as const, value: `https://www.${value}:8080/%6b?a=b` })),
  host.map((value) => ({ kind: 'email' as const, value: `Info@${value}` })),
)

test('values that identifiers-4 refused are refused now: records and entries have the keys that it gave them', () => {
  let narrowed = 0
  fc.assert(
    fc.property(
      typed,
      fc.constantFrom('exact' as const, 'with_subdomains' as const),
      ({ kind, value }, domainScope) => {
        const older = kind === 'email' ? readEmail(value) : readDomain(value)
        if (older === undefined) return
        const { normalized } = normalizeIdentifier(kind, value)
        if (normalized !== older) narrowed += 1
        expect(recordKeysOf({ kind, value })).toContain(recordKey(kind, older))
        expect(recordKeysOfNormalized({ kind, value, normalized })).toContain(recordKey(kind, older))
        const scope = kind === 'email' ? 'exact' : domainScope
        const entry = readEntry({ kind, value, region: null, scope, acceptUnknownSuffix: true })
        // The rules of entries refuse only these two kinds of values, as the earlier rules did.
        if (isRefused(entry)) expect(['shared_host', 'public_suffix']).toContain(entry.code)
        else expect(entry.key).toBe(entryKey(kind, older, scope))
      },
    ),
    { numRuns: 5_000 },
  )
  expect(narrowed).toBeGreaterThan(500)
})
