import { isPublicSuffix, suffixDoubt } from './domain-parts.rules.ts'
import { asciiDomain, hostOf, isIpLiteral, isMalformedHost } from './hosts.rules.ts'
import type { IdentifierKind, Normalized, Reading, Uncertainty } from './identifier-reading.ts'
import { readPhone } from './phones.rules.ts'
import { withoutUnseen, withoutUnseenInHost } from './text-folding.rules.ts'

/**
 * How e-mail addresses, phones and domains are brought into one form. Pure, and versioned: whatever is derived carries the
 * version, and the original stays beside it, so that a later version can derive anew.
 */
export const NORMALIZATION_VERSION = 'identifiers-6'

/**
 * The one form of an identifier, or why there is none. `region` is the country that a person named for a phone, by which a local form is
 * read; none is ever assumed. Deterministic, throws nothing.
 */
export function normalizeIdentifier(kind: IdentifierKind, value: string, region: string | null = null): Normalized {
  // Without its candidates an ambiguous number is read some ten times as fast: a file may hold a million of them.
  const { normalized, uncertainty } =
    kind === 'phone' ? readPhone(value, region, false) : readIdentifier(kind, value, region)
  return normalized === null ? { normalized, uncertainty } : { normalized, uncertainty: null }
}

/** The same with candidates for what is ambiguous: for a screen that asks a person which one is meant. */
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
 * The same as a block reads it: every host that the platform can read is one, whether or not anybody can have it. What is read so is never
 * less than what `normalizeIdentifier` reads, and the same by every version of the rules: a block holds what it held.
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

/** Has nothing to trim and no other form. */
const printableAscii = /^[!-~]*$/

/** Lower case, the domain in ASCII. Providers that ignore dots or plus-parts are matched by the suppression rules, not here. */
function readMailbox(value: string): Normalized {
  const address = printableAscii.test(value) ? value : withoutUnseenInHost(value).trim().normalize('NFC')
  const at = address.lastIndexOf('@')
  const local = withoutUnseen(address.slice(0, at)).toLowerCase()
  const domain = asciiDomain(address.slice(at + 1))
  if (at < 1 || domain === undefined || /[\s@<>(),;:"]/.test(local)) return unknown('not_an_email_address')
  return known(`${local}@${domain}`)
}

/** Whatever stands around the host name goes: scheme, path, port, a leading `www.`, a final dot. Only what somebody can have has a form. */
function readDomain(value: string): Normalized {
  if (isIpLiteral(value)) return unknown('ip_literal')
  const host = hostOf(value)
  if (isMalformedHost(host)) return unknown('malformed')
  const domain = asciiDomain(host)
  if (domain === undefined) return unknown('not_a_domain')
  const doubt = suffixDoubt(domain)
  return doubt === null ? known(domain) : unknown(doubt)
}

/** The same of any host that can be read; a bare suffix such as `co.za` is nobody's. */
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
