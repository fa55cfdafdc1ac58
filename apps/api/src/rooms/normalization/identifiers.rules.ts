import { domainToASCII } from 'node:url'

/**
 * How e-mail addresses, phones and domains are brought into one form. Pure, and versioned: whatever is derived carries the
 * version, and the original stays beside it. The full rules for phones and places come with matching; they take this place.
 */
export const NORMALIZATION_VERSION = 'identifiers-1'

export type IdentifierKind = 'email' | 'phone' | 'domain'

/** Why there is no normalized form. Named, never guessed (specification, Phase 6 §2). */
export type Uncertainty = 'no_country_context' | 'not_a_phone_number' | 'not_an_email_address' | 'not_a_domain'

export type Normalized = { normalized: string; uncertainty: null } | { normalized: null; uncertainty: Uncertainty }

const MAX_DOMAIN_LENGTH = 253
const hostname = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export function normalizeIdentifier(kind: IdentifierKind, value: string, region: string | null = null): Normalized {
  switch (kind) {
    case 'email':
      return normalizeEmail(value)
    case 'phone':
      return normalizePhone(value, region)
    case 'domain':
      return normalizeDomain(value)
  }
}

/** Lower case, the domain in ASCII. Providers that ignore dots or plus-parts are matched by the suppression rules, not here. */
function normalizeEmail(value: string): Normalized {
  const address = value.trim().normalize('NFC')
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase()
  const domain = asciiDomain(address.slice(at + 1))
  if (at < 1 || domain === undefined || /[\s@<>(),;:"]/.test(local)) return unknown('not_an_email_address')
  return known(`${local}@${domain}`)
}

/** Whatever stands around the host name goes: scheme, path, port, a leading `www.`, a final dot. */
function normalizeDomain(value: string): Normalized {
  const host = value
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(/^(?:www\.)+/i, '')
  const domain = asciiDomain(host)
  return domain === undefined ? unknown('not_a_domain') : known(domain)
}

function asciiDomain(value: string): string | undefined {
  const ascii = domainToASCII(value.trim()).toLowerCase()
  return ascii.length <= MAX_DOMAIN_LENGTH && hostname.test(ascii) ? ascii : undefined
}

/**
 * An international form is taken at its word. A local form becomes +27 only when the person said that the number is South
 * African; otherwise it is ambiguous and says so.
 */
function normalizePhone(value: string, region: string | null): Normalized {
  const compact = value
    .trim()
    .replace(/\(0\)/g, '')
    .replace(/[\s().\-/]/g, '')
    .replace(/^00/, '+')
  if (/^\+[1-9]\d{6,14}$/.test(compact)) return known(compact)
  if (!/^\d{5,15}$/.test(compact)) return unknown('not_a_phone_number')
  if (region === 'ZA' && /^0[1-9]\d{8}$/.test(compact)) return known(`+27${compact.slice(1)}`)
  return unknown('no_country_context')
}

function known(normalized: string): Normalized {
  return { normalized, uncertainty: null }
}

function unknown(uncertainty: Uncertainty): Normalized {
  return { normalized: null, uncertainty }
}
