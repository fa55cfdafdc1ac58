import { unique } from '../../../lib/unique.ts'
import {
  type IdentifierKind,
  isFreeMailDomain,
  NORMALIZATION_VERSION,
  normalizeForBlock,
  normalizeIdentifier,
} from '../../normalization/normalization.ts'
import type { Scope } from '../contact-gate.table.ts'
import { behindHost, isFile, isSharedHost, pageOf } from './pages.rules.ts'
import { anyProvider, type ProviderRule, providerRules } from './provider-rules.data.ts'
import { hostsIn, isAbroad, mailAddressesIn, numbersIn } from './readings.rules.ts'
import { isPlainText, visibleText } from './visible-text.rules.ts'

/*
 * The keys by which entries and records meet. Pure. Normalization never guesses; a block must: where a value can be read in two ways,
 * it has the keys of both, because a person who asked not to be contacted is wronged by the reading that misses them.
 *
 *   p:+27821234567              a phone
 *   h:za.co.example.            a host, its labels turned round, so that all below it stand together
 *   h:za.co.example.@info       a mailbox there
 *   t:za.co.example.            an entry for the host and all below it; only entries have it
 *   u:email:…                   what has no normalized form, so that at least the very same text is known again, by whatever rules;
 *                               and a page at a host where anybody has one, or that host alone
 */

/** Raise the number when a rule here changes; whatever was keyed by older rules is then evaluated again. */
const KEY_RULES_VERSION = 'keys-6'
export const RULES_VERSION = `${NORMALIZATION_VERSION}+${KEY_RULES_VERSION}`

export type ContactValue = { kind: IdentifierKind; value: string; region?: string | null }

/** A value with what `normalizeIdentifier` says of it: of millions it is read once. */
export type NormalizedContact = ContactValue & { normalized: string | null }

const kinds = ['email', 'phone', 'domain'] as const

/** The keys of what stands in a record; at least one. A value that was typed into the wrong field has the keys of the right one. */
export function recordKeysOf(contact: ContactValue): string[] {
  const { kind, value, region = null } = contact
  return recordKeysOfNormalized({ ...contact, normalized: normalizeIdentifier(kind, value, region).normalized })
}

/** The same of a value that has been read already. */
export function recordKeysOfNormalized(contact: NormalizedContact): string[] {
  const { kind, value, region = null } = contact
  const normalized = contact.normalized ?? normalizeForBlock(kind, value, region).normalized
  const known = normalized === null ? [] : [recordKey(kind, normalized)]
  if (kind === 'domain' && normalized !== null && isSharedHost(normalized))
    known.push(unreadableKey('domain', pageOf(value) ?? normalized))
  if (hasOneReading({ ...contact, normalized })) return known
  const isByCountry = isReadByCountry(contact)
  const found =
    isByCountry && normalized !== null && plainLocal.test(value) ? [] : keysIn(kind, visibleText(value), region)
  return unique([...known, ...found, ...(normalized === null || isByCountry ? [unreadableKey(kind, value)] : [])])
}

/**
 * The keys that a value is remembered by when it has left, by which nobody can look at what it was: those that say who it was. No host where
 * anybody has a mailbox or a page; of an address whose host is somebody's own no other site that it mentions (`?utm_source=…`); no text that
 * stands for nothing (`n/a`). None where nothing is left.
 */
export function tombstoneKeysOf(contact: ContactValue): string[] {
  const host = contact.kind === 'domain' ? normalizeForBlock('domain', contact.value).normalized : null
  const own = host === null || isSharedHost(host) ? null : host
  return recordKeysOf(contact).filter((key) => {
    if (key.startsWith('u:'))
      return host === null ? saysWho(contact.value) : !isFreeMailDomain(host) || pageOf(contact.value) !== undefined
    if (!key.startsWith('h:') || key.includes('@')) return true
    const named = hostOf(key)
    if (isFreeMailDomain(named) || isSharedHost(named)) return false
    return own === null ? !isFile(named) : named === own && !endsInALetter.test(named)
  })
}

/** `n.a.`: no domain ends so. */
const endsInALetter = /\.[^.]$/

/** Whether a text that cannot be read may still name somebody: by the digits of a number, or by a sign between two words. */
function saysWho(value: string): boolean {
  const text = value.normalize('NFKC')
  const digits = text.match(/\p{Nd}/gu) ?? []
  return (
    (digits.length >= 6 && new Set(digits).size >= 3) ||
    /[\p{L}\p{N}]{2}(?:\s?[.,@#]\s?| dot )[\p{L}\p{N}]{2}/iu.test(text)
  )
}

/** Whether the normalized form is all that a value says, as nearly every one does. */
export function hasOneReading(contact: NormalizedContact): boolean {
  const { kind, value, normalized } = contact
  if (normalized === null || !isPlainText(value) || isReadByCountry(contact)) return false
  return kind !== 'domain' || behindHost(value) === undefined
}

/**
 * Whether a number is read by a country other than South Africa. Rules before `keys-6` could not and kept the text itself, by which
 * their tombstones know the number: it has that key too.
 */
function isReadByCountry({ kind, value, region = null }: ContactValue): boolean {
  return kind === 'phone' && isAbroad(region) && !value.startsWith('+')
}

/** One number in local form, in which nothing else can be read: 30 times as fast as looking. A group that begins with 00 may be a number abroad. */
const plainLocal = /^(?!.*(?:^|[ (])00)[\d ()-]{1,20}$/

/** What a text can be read as. A domain is looked for elsewhere last: any address holds one, and the whole domain is not who is meant. */
function keysIn(kind: IdentifierKind, text: string, region: string | null): string[] {
  const behind = behindHost(text)
  const keysOf = (read: IdentifierKind) => [
    ...keysAs(read, text, region),
    ...(behind === undefined ? [] : keysAs(read, behind, region).filter((key) => !isOfFile(key))),
  ]
  const own = keysOf(kind)
  const beside = kinds.filter((other) => other !== kind && other !== 'domain').flatMap(keysOf)
  const found = [...own, ...beside]
  // Rules before `keys-6` found no number that is read by a country other than South Africa, and looked for a domain.
  const isFound = found.some((key) => !isAbroad(region) || !key.startsWith('p:'))
  return isFound || kind === 'domain' ? found : [...found, ...keysOf('domain')]
}

function isOfFile(key: string): boolean {
  return key.startsWith('h:') && isFile(hostOf(key))
}

/** The one key of a value in normalized form. Values that one mailbox stands behind share it. */
export function recordKey(kind: IdentifierKind, normalized: string): string {
  return entryKey(kind, normalized, 'exact')
}

/** All keys of entries that would match a record's key: its own, that of its host, and those of every host above. */
export function entryKeysFor(recordKey: string): string[] {
  const keys = exactKeysFor(recordKey)
  if (!recordKey.startsWith('h:')) return keys
  const host = keys.at(-1)?.slice(2) ?? ''
  // One label alone is a top level domain, which no entry can be for.
  for (let dot = host.indexOf('.', host.indexOf('.') + 1); dot !== -1; dot = host.indexOf('.', dot + 1))
    keys.push(`t:${host.slice(0, dot + 1)}`)
  return keys
}

/** Those among them that a record can have itself: its own and that of its host. A tombstone holds the hashes of no others. */
export function exactKeysFor(recordKey: string): string[] {
  const at = recordKey.startsWith('h:') ? recordKey.indexOf('@') : -1
  return at === -1 ? [recordKey] : [recordKey, recordKey.slice(0, at)]
}

/**
 * Where records stand that an entry's key can match, in normalized form: at its number, at its host or below, or at another host of a
 * provider that delivers there. None for what no rule can read.
 */
export function matchableValuesOf(key: string): string[] {
  const kind = key.slice(0, 2)
  if (kind === 'p:') return [key.slice(2)]
  if (kind === 'u:') return []
  const host = hostOf(key)
  const delivering = providerRules.filter(({ hosts: [first] }) => `.${first}`.endsWith(`.${host}`))
  return [host, ...delivering.flatMap(({ hosts }) => hosts)]
}

/** The key of an entry whose value is in normalized form. */
export function entryKey(kind: IdentifierKind, normalized: string, scope: Scope): string {
  if (kind === 'phone') return phoneKey(normalized)
  if (kind === 'email') return mailboxKey(normalized)
  return scope === 'exact' ? hostKey(normalized) : `t:${reversed(normalized)}`
}

/** A stretch of record keys, from `from` to before `to`. */
export type KeyRange = { from: string; to: string }

/** Where the records stand that an entry's key matches. */
export function recordKeyRanges(key: string): KeyRange[] {
  const kind = key.slice(0, 2)
  const host = key.slice(2)
  if (kind === 't:') return [{ from: `h:${host}`, to: `h:${host.slice(0, -1)}/` }]
  if (kind === 'h:' && !host.includes('@')) return [only(key), { from: `${key}@`, to: `${key}A` }]
  return [only(key)]
}

function keysAs(kind: IdentifierKind, value: string, region: string | null): string[] {
  switch (kind) {
    case 'email':
      return unique(mailAddressesIn(value).map(mailboxKey))
    case 'phone':
      return numbersIn(value, region).map(phoneKey)
    case 'domain':
      return hostsIn(value).map(hostKey)
  }
}

function phoneKey(normalized: string): string {
  return `p:${normalized}`
}

function hostKey(host: string): string {
  return `h:${reversed(host)}`
}

/** The mailbox behind an address, as its provider sees it. */
function mailboxKey(address: string): string {
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1).replace(/^(?:www\.)+(?=.+\.)/, '')
  const { rule, host: delivered, name } = deliveryOf(host)
  const local = name ?? mailboxName(address.slice(0, at), rule)
  return `${hostKey(delivered)}@${local}`
}

function mailboxName(local: string, { ignored, labelsAfter }: ProviderRule): string {
  const label = [...local].findIndex((character, index) => index > 0 && labelsAfter.includes(character))
  const unlabelled = label === -1 ? local : [...local].slice(0, label).join('')
  const name = [...unlabelled].filter((character) => !ignored.includes(character)).join('')
  return name === '' ? local : name
}

const ruleByHost = new Map(providerRules.flatMap((rule) => rule.hosts.map((host) => [host, rule] as const)))

function deliveryOf(host: string): { rule: ProviderRule; host: string; name?: string } {
  const rule = ruleByHost.get(host)
  if (rule !== undefined) return { rule, host: rule.hosts[0] ?? host }
  const dot = host.indexOf('.')
  const parent = dot === -1 ? undefined : ruleByHost.get(host.slice(dot + 1))
  if (parent?.subdomainIsName === true) return { rule: parent, host: parent.hosts[0] ?? host, name: host.slice(0, dot) }
  return { rule: anyProvider, host }
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

/** The host of a key that has one. */
function hostOf(key: string): string {
  const at = key.indexOf('@')
  return key
    .slice(2, at === -1 ? -1 : at - 1)
    .split('.')
    .reverse()
    .join('.')
}

/** Keys hold no control characters, so nothing stands between one and itself with this behind it. */
function only(key: string): KeyRange {
  return { from: key, to: `${key}\u0001` }
}
