import { unique } from '../../../lib/unique.ts'
import {
  type FoundValue,
  hasKnownSuffix,
  hostsDeliveringTo,
  type IdentifierKind,
  isAbroad,
  isFileName,
  isFreeMailDomain,
  isSharedHost,
  mailboxOf,
  NORMALIZATION_VERSION,
  normalizeForBlock,
  normalizeIdentifier,
  valuesIn,
} from '../../normalization/normalization.ts'
import type { Scope } from '../contact-gate.table.ts'
import { pageOf } from './pages.rules.ts'

/*
 * Contact keys. A suppression entry matches a record when they share a key. An ambiguous value gets the keys of both readings, because a missed match
 * could lead to contacting a person who asked not to be contacted. Pure functions.
 *
 *   p:+27821234567              a phone
 *   h:za.co.example.            a host with its labels reversed, so that all hosts below it sort together
 *   h:za.co.example.@info       a mailbox at that host
 *   t:za.co.example.            the host and all its subdomains; only entries have this key
 *   u:email:…                   a value that cannot be normalized, so that an identical text matches under any version of the rules;
 *                               also a page on a shared host, or the shared host itself
 */

/**
 * Version of the rules in this file. Increment it when one of them changes; the next start of the API then evaluates all entries and records again.
 */
const KEY_RULES_VERSION = 'keys-8'
export const RULES_VERSION = `${NORMALIZATION_VERSION}+${KEY_RULES_VERSION}`

export type ContactValue = { kind: IdentifierKind; value: string; region?: string | null }

/** A value with its normalized form. A caller with millions of values normalizes each of them only once. */
export type NormalizedContact = ContactValue & { normalized: string | null }

/** Returns the keys of a value in a record, at least one. A value that was typed into the wrong field also gets the keys of the right field. */
export function recordKeysOf(contact: ContactValue): string[] {
  const { kind, value, region = null } = contact
  return recordKeysOfNormalized({ ...contact, normalized: normalizeIdentifier(kind, value, region).normalized })
}

/** Like `recordKeysOf`, for a value that is already normalized. */
export function recordKeysOfNormalized(contact: NormalizedContact): string[] {
  return unique(keyedReadingsOf(contact).map(({ key }) => key))
}

/** A reading of a value: its key, the text that was read, and how it was read. */
type KeyedReading = { key: string; text: string; read: FoundValue['read'] }

function keyedReadingsOf(contact: NormalizedContact): KeyedReading[] {
  const { kind, value, region = null } = contact
  const normalized = contact.normalized ?? normalizeForBlock(kind, value, region).normalized
  const whole = (key: string): KeyedReading => ({ key, text: value, read: 'plain' })
  const known = normalized === null ? [] : [whole(recordKey(kind, normalized))]
  if (kind === 'domain' && normalized !== null && isSharedHost(normalized))
    known.push(whole(unreadableKey('domain', pageOf(value) ?? normalized)))
  if (hasOneReading({ ...contact, normalized })) return known
  const isByCountry = isReadByCountry(contact)
  const found = isByCountry && normalized !== null && plainLocal.test(value) ? [] : readingsIn(contact)
  return [...known, ...found, ...(normalized === null || isByCountry ? [whole(unreadableKey(kind, value))] : [])]
}

/** Part of a value that matched the key of an entry: its text, and how it was read. */
export type MatchReading = Omit<KeyedReading, 'key'>

/**
 * Returns a function that returns the text of a value in which an entry's key was found, and how it was read. The value is read once, at the first
 * call, because a text can match hundreds of entries. The key is that of an entry that matches the value, not hashed.
 */
export function readingsOfMatches(contact: ContactValue): (entryKey: string) => MatchReading {
  const { kind, value, region = null } = contact
  let readings: ReadonlyMap<string, MatchReading> | undefined
  return (entryKey) => {
    readings ??= byEntryKey(
      keyedReadingsOf({ ...contact, normalized: normalizeIdentifier(kind, value, region).normalized }),
    )
    return readings.get(entryKey) ?? { text: value, read: 'plain' }
  }
}

/** Returns the readings by the keys of the entries that they match. The first reading of a key counts. */
function byEntryKey(readings: readonly KeyedReading[]): Map<string, MatchReading> {
  const found = new Map<string, MatchReading>()
  for (const { key, text, read } of readings)
    for (const entryKey of entryKeysFor(key)) if (!found.has(entryKey)) found.set(entryKey, { text, read })
  return found
}

/**
 * Returns the keys of a tombstone, which can be none. Only keys that identify a person or business are included, because nobody can inspect the value
 * later. It excludes hosts where anybody can have a mailbox or a page, other sites in the URL of a page (`?utm_source=…`), and texts without content
 * (`n/a`).
 */
export function tombstoneKeysOf(contact: ContactValue): string[] {
  const host = contact.kind === 'domain' ? normalizeForBlock('domain', contact.value).normalized : null
  const own = host === null || isSharedHost(host) ? null : host
  const keys = recordKeysOf(contact)
  const hasOther = contact.kind !== 'domain' && keys.some((key) => /^p:|^h:.*@/.test(key))
  return keys.filter((key) => {
    if (key.startsWith('u:'))
      return host === null ? mayIdentify(contact.value) : !isFreeMailDomain(host) || pageOf(contact.value) !== undefined
    if (!key.startsWith('h:') || key.includes('@')) return true
    // A host beside an address or a number does not identify the person.
    if (hasOther) return false
    const named = hostOf(key)
    if (isFreeMailDomain(named) || isSharedHost(named)) return false
    return own === null ? !isFile(named) : named === own && !endsInALetter.test(named)
  })
}

function isFile(host: string): boolean {
  return isFileName(host) || !hasKnownSuffix(host)
}

/** Matches a host that ends in one letter. It is a text such as `n.a.`, because no domain ends in one letter. */
const endsInALetter = /\.[^.]$/

/**
 * True if a text that cannot be read as a value can still identify a person: it contains the digits of a number, or a sign such as `@` between two
 * words.
 */
function mayIdentify(value: string): boolean {
  const text = value.normalize('NFKC')
  const digits = text.match(/\p{Nd}/gu) ?? []
  return (
    (digits.length >= 6 && new Set(digits).size >= 3) ||
    /[\p{L}\p{N}]{2}(?:\s?[.,@#]\s?| dot )[\p{L}\p{N}]{2}/iu.test(text)
  )
}

/** Matches an address that has no other reading: no sign that can belong to the text around it, and no escape or written-out sign. */
const plainAddress = /^[a-z](?:[\w.+-]*\w)?@(?:[a-z\d-]+\.)+[a-z]{2,}$/i
/** Matches a host, with the path of a page that names no value. */
const plainHost = /^(?:https?:\/\/)?(?:[a-z\d-]+\.)+[a-z]{2,}(?:\/[\w-]*)*$/i
/** Matches a South African number, with its extension if there is one, and a number of another country without separators. */
const plainNumber = /^(?:\(?(?=\+27|0)[+\d ()-]+(?: ?(?:x|ext\.?) ?\d{1,6})?|\+\d+)$/
/** Matches what can be read as another value within an address or a host: a number, or a sign that is written out. */
const furtherReading = /\d[\d._+/-]{7,}\d|[-_](?:at|dot|punt)[-_]/i
const writtenOut = /[a-z\d](?:AT|DOT|PUNT)[a-z\d]/
/** Matches a host with a new sentence behind it, as in `karoo.co.za.Please`. */
const sentenceEnd = /\.[A-Z][a-z][^@]*$/
/** The suffixes of nearly all values. A look-up in the list of suffixes takes longer. */
const usualSuffix = /\.(?:com|net|org|(?:ac|co|gov|law|net|nom|org|school|web)\.za)$/

/** True if the normalized form is the only reading of a value. This is so for nearly every value. */
export function hasOneReading(contact: NormalizedContact): boolean {
  const { kind, value, normalized } = contact
  if (normalized === null || isReadByCountry(contact)) return false
  if (kind === 'phone') return plainNumber.test(value)
  if (!(kind === 'email' ? plainAddress : plainHost).test(value)) return false
  if (furtherReading.test(value) || writtenOut.test(value) || sentenceEnd.test(value)) return false
  return usualSuffix.test(normalized) || hasKnownSuffix(normalized.slice(normalized.lastIndexOf('@') + 1))
}

/**
 * True if a number is read by the rules of a country other than South Africa. Rules before `keys-6` could not read such a number and used its text as
 * the key, which their tombstones contain. The number therefore gets that key too.
 */
function isReadByCountry({ kind, value, region = null }: ContactValue): boolean {
  return kind === 'phone' && isAbroad(region) && !value.startsWith('+')
}

/**
 * Matches one number in local form that has no other reading. This test is 30 times as fast as a search for readings. A group that begins with 00
 * does not match, because it can be a foreign number.
 */
const plainLocal = /^(?!.*(?:^|[ (])00)[\d ()-]{1,20}$/

/** Returns all readings of a text. A value that was typed into the wrong field is read too. */
function readingsIn({ value, region = null }: ContactValue): KeyedReading[] {
  return valuesIn(value, { region, anySuffix: true }).flatMap((one) => {
    const { from, to, read: readAs } = one
    const keys = [recordKey(one.kind, one.normalized), ...pageKeysOf(one, value)]
    return keys.map((key) => ({ key, text: value.slice(from, to), read: readAs }))
  })
}

/** Returns the key of the page behind a shared host in a text. */
function pageKeysOf({ kind, normalized, from }: FoundValue, text: string): string[] {
  if (kind !== 'domain' || !isSharedHost(normalized)) return []
  const page = pageOf(/^\S*/.exec(text.slice(from, from + LONGEST_PAGE))?.[0] ?? '')
  return page === undefined ? [] : [unreadableKey('domain', page)]
}

const LONGEST_PAGE = 2_000

/** Returns the single key of a value in normalized form. All spellings of one mailbox have the same key. */
export function recordKey(kind: IdentifierKind, normalized: string): string {
  return entryKey(kind, normalized, 'exact')
}

/** Returns the keys of all entries that match a record's key: the same key, the key of its host, and those of every host above. */
export function entryKeysFor(recordKey: string): string[] {
  const keys = exactKeysFor(recordKey)
  if (!recordKey.startsWith('h:')) return keys
  const host = keys.at(-1)?.slice(2) ?? ''
  // The loop ends before the last label, because a top-level domain cannot be an entry.
  for (let dot = host.indexOf('.', host.indexOf('.') + 1); dot !== -1; dot = host.indexOf('.', dot + 1))
    keys.push(`t:${host.slice(0, dot + 1)}`)
  return keys
}

/**
 * Returns the keys of `entryKeysFor` that are not about subdomains: the record's own key and that of its host. Tombstones contain hashes of only
 * these keys.
 */
export function exactKeysFor(recordKey: string): string[] {
  const at = recordKey.startsWith('h:') ? recordKey.indexOf('@') : -1
  return at === -1 ? [recordKey] : [recordKey, recordKey.slice(0, at)]
}

/**
 * Returns the numbers and hosts that an entry's key can match, in normalized form. For a number it is the number. For a host it is the host, which
 * stands for all hosts below it, and other hosts of a provider that delivers there. Empty for a text without a normalized form.
 */
export function matchableValuesOf(key: string): string[] {
  const kind = key.slice(0, 2)
  if (kind === 'p:') return [key.slice(2)]
  if (kind === 'u:') return []
  const host = hostOf(key)
  return [host, ...hostsDeliveringTo(host)]
}

/** Returns the key of an entry whose value is in normalized form. */
export function entryKey(kind: IdentifierKind, normalized: string, scope: Scope): string {
  if (kind === 'phone') return phoneKey(normalized)
  if (kind === 'email') return mailboxKey(normalized)
  return scope === 'exact' ? hostKey(normalized) : `t:${reversed(normalized)}`
}

/** A range of record keys, `to` excluded. */
export type KeyRange = { from: string; to: string }

/** Returns the ranges of record keys that an entry matches. */
export function recordKeyRanges(key: string): KeyRange[] {
  const kind = key.slice(0, 2)
  const host = key.slice(2)
  if (kind === 't:') return [{ from: `h:${host}`, to: `h:${host.slice(0, -1)}/` }]
  if (kind === 'h:' && !host.includes('@')) return [only(key), { from: `${key}@`, to: `${key}A` }]
  return [only(key)]
}

function phoneKey(normalized: string): string {
  return `p:${normalized}`
}

function hostKey(host: string): string {
  return `h:${reversed(host)}`
}

/** Returns the key of the mailbox to which its provider delivers an address. */
function mailboxKey(address: string): string {
  const { host, name } = mailboxOf(address)
  return `${hostKey(host)}@${name}`
}

function unreadableKey(kind: IdentifierKind, value: string): string {
  return `u:${kind}:${value.normalize('NFKC').toLowerCase().replace(/\s+/g, '')}`
}

function reversed(host: string): string {
  let turned = ''
  let from = 0
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', from)) {
    turned = `${host.slice(from, dot)}.${turned}`
    from = dot + 1
  }
  return `${host.slice(from)}.${turned}`
}

/** Returns the host that a key contains. */
function hostOf(key: string): string {
  const at = key.indexOf('@')
  return key
    .slice(2, at === -1 ? -1 : at - 1)
    .split('.')
    .reverse()
    .join('.')
}

/**
 * Returns a range that contains only this key. Keys contain no control characters, so no other key sorts between it and the same key with U+0001
 * appended.
 */
function only(key: string): KeyRange {
  return { from: key, to: `${key}\u0001` }
}
