import { isPublicSuffix } from './domain-parts.rules.ts'
import { readHostName } from './domains.rules.ts'
import { asciiDomain, hostOf, isMalformedHost } from './hosts.rules.ts'
import type { IdentifierKind, Normalized, Reading, Uncertainty } from './identifier-reading.ts'
import { readPhone } from './phones.rules.ts'
import { withoutUnseen, withoutUnseenInHost } from './text-folding.rules.ts'

/**
 * Normalization of email addresses, phones and domains. Pure and versioned: derived values store the version next to the original, so that a later version
 * can derive them again.
 */
export const NORMALIZATION_VERSION = 'identifiers-7'

/**
 * The normalized form of an identifier, or the reason why there is none. `region` is the country that a person chose for a local phone number; none is ever
 * assumed. Deterministic; never throws.
 */
export function normalizeIdentifier(kind: IdentifierKind, value: string, region: string | null = null): Normalized {
  // Without candidates an ambiguous number is parsed some ten times as fast: a file may contain a million of them.
  const { normalized, uncertainty } =
    kind === 'phone' ? readPhone(value, region, false) : readIdentifier(kind, value, region)
  return normalized === null ? { normalized, uncertainty } : { normalized, uncertainty: null }
}

/** Includes candidates of an ambiguous value, for a screen where a person chooses one. */
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
 * Normalization for blocks: accepts every host that the platform can parse, even if it cannot be registered. Accepts at least what `normalizeIdentifier`
 * accepts, and gives the same result in every version of the rules, so that a block never loses a match.
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

/** No white space to trim and only one Unicode form. */
const printableAscii = /^[!-~]*$/

/** Lower case, with the domain in ASCII. The suppression rules, not these, handle providers that ignore dots or plus-parts. */
function readMailbox(value: string): Normalized {
  const address = printableAscii.test(value) ? value : withoutUnseenInHost(value).trim().normalize('NFC')
  const at = address.lastIndexOf('@')
  const local = withoutUnseen(address.slice(0, at)).toLowerCase()
  const domain = asciiDomain(address.slice(at + 1))
  if (at < 1 || domain === undefined || /[\s@<>(),;:"]/.test(local)) return unknown('not_an_email_address')
  return known(`${local}@${domain}`)
}

/**
 * Removes everything around the host name: scheme, path, port, leading `www.`, final dot. A host under a private suffix identifies its holder and has a
 * form; whoever shows it says that the suffix is private.
 */
function readDomain(value: string): Normalized {
  const { ascii, reason } = readHostName(value, hostOf(value))
  return reason === null || reason === 'private_suffix' ? known(ascii) : unknown(reason)
}

/** The domain of any parseable host; a bare suffix such as `co.za` belongs to nobody. */
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
