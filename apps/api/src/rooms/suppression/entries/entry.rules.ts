import { isIP } from 'node:net'
import { entryKey, pageOf, type Scope } from '../../contact-gate/contact-gate.ts'
import {
  type FoundValue,
  hasKnownEnding,
  hasPossibleLength,
  type IdentifierKind,
  isFreeMailDomain,
  isLocalForm,
  isSharedHost,
  isShortened,
  leadingSign,
  likelyKind,
  normalizeForBlock,
  registrableDomain,
  valuesIn,
  visibleText,
} from '../../normalization/normalization.ts'

/*
 * Rules for the values that an entry can have. A value that cannot be read would block nobody, and one that is read too widely would block everybody.
 * Both are refused with a sentence that names an alternative.
 */

export type EntryValue = {
  kind: IdentifierKind
  value: string
  region: string | null
  scope: Scope
  /** true: a person confirmed that the ending of the host is right although it is not in the list of suffixes */
  acceptUnknownSuffix?: boolean
}
export type ReadEntry = Omit<EntryValue, 'acceptUnknownSuffix'> & { normalized: string; key: string }
export type RefusedEntry = { code: string; message: string }

export function readEntry({ acceptUnknownSuffix = false, ...entry }: EntryValue): ReadEntry | RefusedEntry {
  const read = normalizedOf({ ...entry, value: visibleText(entry.value) })
  if (typeof read !== 'string') return read
  if (!acceptUnknownSuffix && entry.kind !== 'phone' && !hasKnownEnding(read)) return unknownSuffix(read)
  return { ...entry, normalized: read, key: entryKey(entry.kind, read, entry.scope) }
}

/** The code of a refusal that a person can overrule by `acceptUnknownSuffix`. */
const UNKNOWN_SUFFIX = 'unknown_suffix'

function unknownSuffix(normalized: string): RefusedEntry {
  const ending = normalized.slice(normalized.lastIndexOf('.'))
  return {
    code: UNKNOWN_SUFFIX,
    message: `No known domain ends in ${ending}. Correct the domain, or confirm that the ending is correct (acceptUnknownSuffix).`,
  }
}

export function isRefused(read: ReadEntry | readonly ReadEntry[] | RefusedEntry): read is RefusedEntry {
  return 'message' in read
}

function normalizedOf({ kind, value, region, scope }: Omit<EntryValue, 'acceptUnknownSuffix'>): string | RefusedEntry {
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
  message: 'Only a domain has subdomains. An address or a number has none.',
}

export const severalAddresses: RefusedEntry = {
  code: 'several_addresses',
  message: 'These are several addresses. Add each address separately, or paste one address per line.',
}

export const severalNumbers: RefusedEntry = {
  code: 'several_numbers',
  message: 'These are several numbers. Add each number separately, or paste one number per line.',
}

/** Returns the values of a kind in a text, each once. Nothing is joined over a line end, because an entry is for one line. */
function readingsOf(kind: IdentifierKind, text: string, region: string | null = null): FoundValue[] {
  return valuesIn(text, { region, anySuffix: true }).filter((found) => found.kind === kind && found.read !== 'joined')
}

function mailAddress(value: string): string | RefusedEntry {
  const found = readingsOf('email', value)
  const [longest] = found
  if (longest === undefined || value.slice(0, longest.from).endsWith('@'))
    return {
      code: 'not_an_email_address',
      message: 'This email address cannot be read. Enter it as name@host.',
    }
  // Readings of one address end at its host. Those of another address begin behind it.
  if (found.some(({ from }) => from >= longest.to)) return severalAddresses
  if (/[=?&#]$/.test(value.slice(0, longest.from)))
    return {
      code: 'not_an_email_address',
      message: 'This text contains a link. Enter only the address, as name@host.',
    }
  const sign = leadingSign(longest.normalized)
  if (sign !== undefined)
    return {
      code: 'leading_sign',
      message: `The name of this address begins with ${sign}. Enter it from its first letter or digit.`,
    }
  return longest.normalized
}

/**
 * Reads a phone number. A number that no known network uses is accepted as typed, because an unnecessary entry is better than a call to a person who
 * objected. A number whose length is impossible is refused, because it is a mistake: nobody can be called at it.
 */
function phone(value: string, region: string | null): string | RefusedEntry {
  const { normalized, uncertainty } = normalizeForBlock('phone', value, region)
  if (normalized !== null) return hasPossibleLength(normalized) ? normalized : impossibleNumber
  if (isShortened(value)) return shortenedNumber
  const found = readingsOf('phone', value, region)
  const [first] = found
  if (first === undefined)
    return uncertainty === 'no_country_context'
      ? noCountry
      : { code: 'not_a_phone_number', message: 'This phone number cannot be read, so the entry would block nobody.' }
  if (found.some(({ from, to }) => from !== first.from || to !== first.to)) return severalNumbers
  // A local form that several countries can have would block nobody, although adding it would seem to succeed.
  if (found.length > 1) return noSuchNumber
  if (isLocalForm(value.slice(first.from, first.to)) && !isNumberOf(region, first.normalized))
    return region === null ? noCountry : noSuchNumber
  return hasPossibleLength(first.normalized) ? first.normalized : impossibleNumber
}

/** True if a local number was read as one of the chosen country. */
function isNumberOf(region: string | null, normalized: string): boolean {
  return region !== null && (region === 'ZA') === normalized.startsWith('+27')
}

const noCountry: RefusedEntry = {
  code: 'no_country_context',
  message:
    'The country of this number is unclear. Choose the country, or enter the number with + and the country code.',
}

const noSuchNumber: RefusedEntry = {
  code: 'no_such_number',
  message:
    'No number of this country has this form. Choose the country, or enter the number with + and the country code.',
}

const shortenedNumber: RefusedEntry = {
  code: 'shortened_number',
  message:
    'A spreadsheet shortened this number, and its last digits are lost. Format the column as text and copy the number again.',
}

const impossibleNumber = {
  code: 'impossible_number',
  message: 'This number has too few or too many digits for its country. Check the number with the person who asked.',
}

function domain(value: string): string | RefusedEntry {
  if (likelyKind(value) === 'email')
    return {
      code: 'not_a_domain',
      message: 'This is an email address. Add it as an email address, or enter only the domain.',
    }
  const { normalized, uncertainty } = normalizeForBlock('domain', value)
  if (uncertainty === 'public_suffix')
    return {
      code: 'public_suffix',
      message:
        'Anybody can register domains with this ending, so an entry would block uninvolved people. Enter the domain of the person who asked.',
    }
  if (normalized === null || isIP(normalized) !== 0)
    return { code: 'not_a_domain', message: 'This domain cannot be read. Enter it as example.co.za.' }
  if (isFreeMailDomain(normalized) || isFreeMailDomain(registrableDomain(normalized) ?? normalized))
    return {
      code: 'free_mail',
      message: `${normalized} gives mailboxes to anybody, so an entry would block uninvolved people. Add the address of the person who asked.`,
    }
  if (isSharedHost(normalized) && pageOf(value) !== undefined)
    return {
      code: 'shared_host',
      message: `Anybody can have a page at ${normalized}, so an entry would block uninvolved people. Add the address or the number of the person who asked. To block the whole site, add ${normalized} alone.`,
    }
  return normalized
}
