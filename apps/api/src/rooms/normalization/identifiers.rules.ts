import { isPublicSuffix } from './domain-parts.rules.ts'
import { readHostName } from './domains.rules.ts'
import { asciiDomain, hostOf, isMalformedHost } from './hosts.rules.ts'
import type { IdentifierKind, Normalized, Reading, Uncertainty } from './identifier-reading.ts'
import { readPhone } from './phones.rules.ts'
import { withoutUnseen, withoutUnseenInHost } from './text-folding.rules.ts'

/**
 * Version of the normalization of email addresses, phones and domains. Derived values store the version next to the original, so that a later version
 * can derive them again. The rules are pure.
 */
export const NORMALIZATION_VERSION = 'identifiers-7'

/**
 * Returns the normalized form of an identifier, or the reason why there is none. `region` is the country that a person chose for a local phone
 * number; no country is ever assumed. Deterministic; never throws.
 */
export function normalizeIdentifier(kind: IdentifierKind, value: string, region: string | null = null): Normalized {
  // Without candidates an ambiguous number is parsed some ten times as fast, and a file can contain a million of them.
  const { normalized, uncertainty } =
    kind === 'phone' ? readPhone(value, region, false) : readIdentifier(kind, value, region)
  return normalized === null ? { normalized, uncertainty } : { normalized, uncertainty: null }
}

/** Like `normalizeIdentifier`, with the candidates of an ambiguous value, for a screen where a person chooses one. */
export function readIdentifier(kind: IdentifierKind, value: string, region: string | null = null): Reading {
  switch (kind) {
    case 'email':
      return { ...readEmail(value), candidates: [], extension: null }
    case 'phone':
      return readPhone(value, region)
    case 'domain':
      return { ...readDomain(value), candidates: [], extension: null }
  }
}

/**
 * Normalizes a value for blocks. It accepts every host that the platform can parse, even if the host cannot be registered. It accepts at least what
 * `normalizeIdentifier` accepts and gives the same result in every version of the rules, so that a block never loses a match.
 */
export function normalizeForBlock(kind: IdentifierKind, value: string, region: string | null = null): Normalized {
  switch (kind) {
    case 'email':
      return readMailbox(value)
    case 'domain':
      return readHost(value)
    case 'phone':
      return normalizeIdentifier(kind, value, region)
  }
}

function readEmail(value: string): Normalized {
  const host = value.slice(value.lastIndexOf('@') + 1)
  return isMalformedHost(host) ? unknown('not_an_email_address') : readMailbox(value)
}

/** Matches text without white space to trim and with only one Unicode form. */
const printableAscii = /^[!-~]*$/

/** Lowercases an address and converts its domain to ASCII. Providers that ignore dots or plus-parts are a matter of the suppression rules. */
function readMailbox(value: string): Normalized {
  const address = printableAscii.test(value) ? value : withoutUnseenInHost(value).trim().normalize('NFC')
  const at = address.lastIndexOf('@')
  const local = withoutUnseen(address.slice(0, at)).toLowerCase()
  const domain = asciiDomain(address.slice(at + 1))
  if (at < 1 || domain === undefined || /[\s@<>(),;:"]/.test(local)) return unknown('not_an_email_address')
  return known(`${local}@${domain}`)
}

/**
 * Removes everything around the host name: scheme, path, port, leading `www.`, final dot. A host below a private suffix identifies its owner, so it
 * has a form; the screens state that its suffix is private.
 */
function readDomain(value: string): Normalized {
  const { ascii, reason } = readHostName(value, hostOf(value))
  return reason === null || reason === 'private_suffix' ? known(ascii) : unknown(reason)
}

/** Returns the domain of any parseable host; a bare suffix such as `co.za` has no owner. */
function readHost(value: string): Normalized {
  const domain = asciiDomain(hostOf(value))
  if (domain === undefined) return unknown('not_a_domain')
  return isPublicSuffix(domain) ? unknown('public_suffix') : known(domain)
}

function known(normalized: string): Normalized {
  return { normalized, uncertainty: null }
}

function unknown(uncertainty: Uncertainty): Normalized {
  return { normalized: null, uncertainty }
}
