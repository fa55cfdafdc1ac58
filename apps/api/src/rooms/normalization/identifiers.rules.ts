import { isPublicSuffix } from './domain-parts.rules.ts'
import { readHostName } from './domains.rules.ts'
import { asciiDomain, hostOf, isMalformedHost } from './hosts.rules.ts'
import type { IdentifierKind, Normalized, Reading, Uncertainty } from './identifier-reading.ts'
import { readPhone } from './phones.rules.ts'
import { hasControlCharacter, withoutUnseen, withoutUnseenInHost } from './text-folding.rules.ts'

/**
 * Version of the rules that normalize email addresses, phones, domains and places. A derived value is stored with this version next to its original, so that
 * a later version can derive it again. The rules are pure.
 */
export const NORMALIZATION_VERSION = 'identifiers-9'

/**
 * Returns the normalized form of an identifier, or the reason why it has none. `region`: the country that a person chose for a local phone number; no
 * country is ever assumed. Deterministic; never throws.
 */
export function normalizeIdentifier(kind: IdentifierKind, value: string, region: string | null = null): Normalized {
  // The candidates of an ambiguous number are not computed: they would take ten times as long, and a file can contain a million such numbers.
  return formOf(
    kind === 'phone' ? readPhone(value, region, { withCandidates: false }) : readIdentifier(kind, value, region),
  )
}

function formOf({ normalized, uncertainty }: Reading): Normalized {
  return normalized === null ? { normalized, uncertainty } : { normalized, uncertainty: null }
}

/** Like `normalizeIdentifier`, but with the candidates of an ambiguous value. For a screen on which a person chooses one. */
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
 * Normalizes a value for the comparison with suppression entries. It accepts every host that the platform can parse, even if the host cannot be
 * registered. It accepts at least the values that `normalizeIdentifier` accepts. Its results are the same in every version of the rules, so that an
 * entry never loses a match.
 */
export function normalizeForBlock(kind: IdentifierKind, value: string, region: string | null = null): Normalized {
  switch (kind) {
    case 'email':
      return readMailbox(value)
    case 'domain':
      return readHost(value)
    case 'phone':
      return formOf(readPhone(value, region, { withCandidates: false, acceptsShort: true }))
  }
}

function readEmail(value: string): Normalized {
  const host = value.slice(value.lastIndexOf('@') + 1)
  return isMalformedHost(host) ? unknown('not_an_email_address') : readMailbox(value)
}

/** Matches a text that has no white space to trim and only one Unicode form. */
const printableAscii = /^[!-~]*$/

/**
 * Normalizes an email address: lower case, and the domain in ASCII. Dots and plus-parts stay, because only the suppression rules know which providers
 * ignore them.
 */
function readMailbox(value: string): Normalized {
  const address = printableAscii.test(value) ? value : withoutUnseenInHost(value).trim().normalize('NFC')
  if (hasControlCharacter(address)) return unknown('not_an_email_address')
  const at = address.lastIndexOf('@')
  const local = withoutUnseen(address.slice(0, at)).toLowerCase()
  const domain = asciiDomain(address.slice(at + 1))
  if (at < 1 || domain === undefined || /[\s@<>(),;:"]/.test(local)) return unknown('not_an_email_address')
  return known(`${local}@${domain}`)
}

/**
 * Normalizes a domain: removes scheme, path, port, leading `www.` and final dot. A host below a private suffix is accepted, because it identifies its
 * owner; the screens state that its suffix is private. A reserved suffix is accepted too, for documentation and tests.
 */
function readDomain(value: string): Normalized {
  const { ascii, reason } = readHostName(value, hostOf(value))
  if (reason === null || reason === 'private_suffix' || reason === 'reserved_suffix') return known(ascii)
  return unknown(reason)
}

/** Returns the host of any value that the platform can parse. A bare suffix such as `co.za` is rejected, because it has no owner. */
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
