import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeIdentifier } from '../../normalization/normalization.ts'
import { isRefused, readEntry } from '../../suppression/entries/entry.rules.ts'
import type { Scope } from '../contact-gate.table.ts'
import { type ContactValue, entryKeysFor, matchableValuesOf, recordKeysOf } from '../keys/contact-keys.rules.ts'
import { createEntryFilter, type EntryFilter } from './entry-filter.rules.ts'

const kind = fc.constantFrom<ContactValue['kind']>('email', 'phone', 'domain')
const scope = fc.constantFrom<Scope>('exact', 'with_subdomains')
const host = fc.constantFrom(
  'jan.fastmail.com',
  'fastmail.com',
  'gmail.com',
  'googlemail.com',
  'www.karoo.co.za',
  'karoo.co.za',
  'a.karoo.co.za',
  'pm.me',
)
const place = fc.stringMatching(/^(?:[ab]{1,2}\.){0,4}[ab]{1,2}$/)

function placesWith(held: readonly string[]): EntryFilter {
  const places = createEntryFilter(held.length)
  for (const one of held) places.add(one)
  return places
}

test('an entry reaches its own host and all hosts below it', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 4 }), place, fc.constantFrom('', 'b@', 'a.b@'), (held, host, mailbox) => {
      const isReached = held.some((one) => host === one || host.endsWith(`.${one}`))
      if (isReached) expect(placesWith(held).mayMatch(`${mailbox}${host}`)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('the filter has few false positives, however many entries there are', () => {
  const places = placesWith(Array.from({ length: 100_000 }, (_, at) => `held-${at}.co.za`))
  const reached = Array.from({ length: 10_000 }, (_, at) => `info@free-${at}.co.za`).filter(places.mayMatch)
  expect(reached.length).toBeLessThan(1_000)
})

test('every value that an entry matches is one of its matchable values', () => {
  const value = fc.oneof(
    fc.tuple(fc.constantFrom('jan', 'j.an', 'jan+x', 'jan-x'), host).map(([name, at]) => `${name}@${at}`),
    host,
    fc.constantFrom('+27821234567', '+27831234567'),
  )
  fc.assert(
    fc.property(kind, value, scope, kind, value, (entryKind, entryValue, entryScope, recordKind, recordValue) => {
      const entry = readEntry({
        kind: entryKind,
        value: entryValue,
        region: null,
        scope: entryKind === 'domain' ? entryScope : 'exact',
      })
      const { normalized } = normalizeIdentifier(recordKind, recordValue)
      if (isRefused(entry) || normalized === null) return
      const matches = recordKeysOf({ kind: recordKind, value: recordValue }).flatMap(entryKeysFor).includes(entry.key)
      if (matches) expect(placesWith(matchableValuesOf(entry.key)).mayMatch(normalized)).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})
