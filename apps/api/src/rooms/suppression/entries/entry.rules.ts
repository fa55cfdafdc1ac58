import { isIP } from 'node:net'
import type { Scope } from '../../contact-gate/contact-gate.ts'
import {
  entryKey,
  mailAddressesIn,
  numbersIn,
  pageOf,
  phoneAsTyped,
  visibleText,
  withoutExtension,
} from '../../contact-gate/contact-gate.ts'
import {
  hasPossibleLength,
  type IdentifierKind,
  isFreeMailDomain,
  isSharedHost,
  normalizeForBlock,
  registrableDomain,
} from '../../normalization/normalization.ts'

/*
 * Rules for the values that an entry can have. A value that cannot be read would block nobody, and one that is read too widely would block everybody.
 * Both are refused with a sentence that names an alternative.
 */

export type EntryValue = { kind: IdentifierKind; value: string; region: string | null; scope: Scope }
export type ReadEntry = EntryValue & { normalized: string; key: string }
export type RefusedEntry = { code: string; message: string }

export function readEntry(entry: EntryValue): ReadEntry | RefusedEntry {
  const read = normalizedOf({ ...entry, value: visibleText(entry.value) })
  if (typeof read !== 'string') return read
  return { ...entry, normalized: read, key: entryKey(entry.kind, read, entry.scope) }
}

export function isRefused(read: ReadEntry | readonly ReadEntry[] | RefusedEntry): read is RefusedEntry {
  return 'message' in read
}

function normalizedOf({ kind, value, region, scope }: EntryValue): string | RefusedEntry {
  switch (kind) {
    case 'email':
      return scope === 'exact' ? mailAddress(value) : scopeOnlyForDomains
    case 'phone':
      return scope === 'exact' ? phone(value, region) : scopeOnlyForDomains
    case 'domain':
      return domain(value)
  }
}

const scopeOnlyForDomains = {
  code: 'scope_only_for_domains',
  message: 'Only a domain has subdomains. For an address or a number the scope is exact.',
}

export const severalAddresses: RefusedEntry = {
  code: 'several_addresses',
  message: 'These are several addresses. Add each separately, or paste them as lines.',
}

export const severalNumbers: RefusedEntry = {
  code: 'several_numbers',
  message: 'These are several numbers. Add each separately, or paste them as lines.',
}

function mailAddress(value: string): string | RefusedEntry {
  const [address, second] = mailAddressesIn(value).map(withoutLinkAndBullet)
  if (address === undefined)
    return {
      code: 'not_an_email_address',
      message: 'This email address cannot be read. Enter it as name@host.',
    }
  if (second !== undefined) return severalAddresses
  if (partOfLink.test(address))
    return {
      code: 'not_an_email_address',
      message: 'This address is part of a link or of a setting. Enter only the address, as name@host.',
    }
  return address
}

/** Matches the path of a link before an address, as in `//karoo.co.za/unsubscribe/jan@karoo.co.za`, with its scheme or without. */
const linkBefore = /^(?:[^@]*\/\/|[^\s/@]+\.\p{L}{2,}\/)(?:[^@]*\/)?/u
/** Matches bullets and other symbols before an address. */
const bulletsBefore = /^[\p{So}\u00b7\u2010-\u2015\u2022\u2023\u2043\u2190-\u21ff]+(?=[^@])/u
/** Matches a local part with the query of a link, or with the name of a setting such as `email=`. */
const partOfLink = /^[^@]*\/\/|^[^@]*\?|^(?:[^@]*[/?&#])?[\p{L}_-]+=/u

function withoutLinkAndBullet(address: string): string {
  return address.replace(linkBefore, '').replace(bulletsBefore, '')
}

/**
 * Reads a phone number. A number that no known network uses is accepted as typed, because an unnecessary entry is better than a call to a person who
 * objected. A number whose length is impossible is refused, because it is a mistake: nobody can be called at it.
 */
function phone(value: string, region: string | null): string | RefusedEntry {
  const { normalized, uncertainty } = normalizeForBlock('phone', value, region)
  if (normalized !== null) return hasPossibleLength(normalized) ? normalized : impossibleNumber
  const bare = withoutExtension(value)
  const number = phoneAsTyped(bare, region)
  const readings = numbersIn(value, region)
  // True if the number has only one reading. An international form contains its country. A local form that several countries can have would block
  // nobody, although adding it would seem to succeed.
  const isClear = number === phoneAsTyped(bare, null) || readings.every((reading) => reading === number)
  if (number !== undefined && isClear) return hasPossibleLength(number) ? number : impossibleNumber
  if (number !== undefined)
    return {
      code: 'no_such_number',
      message: 'No number of this country has this form. Choose its country, or enter it with + and the country code.',
    }
  if (readings.length > 1) return severalNumbers
  if (uncertainty === 'no_country_context')
    return {
      code: 'no_country_context',
      message: 'The country of this number is unclear. Choose its country, or enter it with + and the country code.',
    }
  return { code: 'not_a_phone_number', message: 'This phone number cannot be read, so it would block nobody.' }
}

const impossibleNumber = {
  code: 'impossible_number',
  message:
    'A digit is missing, or there are too many: this country has no number of this length. Check the number with the person who asked.',
}

function domain(value: string): string | RefusedEntry {
  if (value.includes('@'))
    return {
      code: 'not_a_domain',
      message: 'This is an email address. Add it as an email address, or enter only the domain.',
    }
  const { normalized, uncertainty } = normalizeForBlock('domain', value)
  if (uncertainty === 'public_suffix')
    return {
      code: 'public_suffix',
      message:
        'Anybody can register domains under this one: an entry for it would block uninvolved people. Enter the domain of the person who asked.',
    }
  if (normalized === null || isIP(normalized) !== 0)
    return { code: 'not_a_domain', message: 'This domain cannot be read. Enter it as example.co.za.' }
  if (isFreeMailDomain(normalized) || isFreeMailDomain(registrableDomain(normalized) ?? normalized))
    return {
      code: 'free_mail',
      message: `${normalized} gives mailboxes to anybody: an entry for it would block uninvolved people. Add the address of the person who asked.`,
    }
  if (isSharedHost(normalized) && pageOf(value) !== undefined)
    return {
      code: 'shared_host',
      message: `Anybody can have a page at ${normalized}: an entry for it would block uninvolved people. Add the address or the number of the person who asked, or ${normalized} alone to block all of it.`,
    }
  return normalized
}

/** Returns the kind of a pasted line: email if it contains an `@`, phone if it consists of digits, otherwise domain. */
export function kindOfLine(line: string): IdentifierKind {
  const text = visibleText(line)
  if (text.includes('@') || /[[({]\s*at\s*[\])}]/i.test(text)) return 'email'
  return /^[\s\d()+\-./]{7,}$/.test(text) || /^tel:/i.test(text) ? 'phone' : 'domain'
}
