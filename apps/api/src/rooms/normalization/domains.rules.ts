import { domainToASCII, domainToUnicode } from 'node:url'
import { divideHost, type HostParts } from './domain-parts.rules.ts'
import { asciiDomain, isIpLiteral, isMalformedHost, wholeHostOf } from './hosts.rules.ts'
import { hasControlCharacter } from './text-folding.rules.ts'

/** Reasons why a value has no registrable domain, or why its owner is uncertain (specification, Phase 7 §1). */
export const domainReasons = [
  'public_suffix',
  'private_suffix',
  'unknown_suffix',
  'reserved_suffix',
  'malformed',
  'single_label',
  'localhost',
  'ip_literal',
] as const
export type UnresolvedReason = (typeof domainReasons)[number]

type Formless = 'malformed' | 'single_label' | 'localhost' | 'ip_literal'
const noParts = { subdomain: null, registrable: null, suffix: null, suffixKind: null, privateBoundary: null } as const

type HostReading = (HostParts & { ascii: string }) | (typeof noParts & { ascii: null; reason: Formless })

/** A value divided into the parts of its host. If `reason` is null, the host has a registrable domain. */
export type DomainReading = HostReading & { unicode: string | null }

/**
 * Reads a domain, a host or the URL of a page. A leading `www.` counts as part of the host. It checks in this order whether the value is an IP
 * literal, has the form of a host, and has a known suffix. Deterministic; never throws.
 */
export function readDomainName(value: string): DomainReading {
  const reading = readHostName(value, wholeHostOf(value))
  const { ascii } = reading
  return { ...reading, unicode: ascii?.includes('xn--') === true ? domainToUnicode(ascii) : ascii }
}

/**
 * Reads the owner name of DNS records. Its labels below the registrable domain may contain underscores, which no host has: `_dmarc.example.co.za`,
 * `selector._domainkey.example.co.za` (RFC 8552). Deterministic; never throws.
 */
export function readOwnerName(value: string): DomainReading {
  const reading = readDomainName(value)
  const host = wholeHostOf(value)
  if (reading.reason !== 'malformed' || !host.includes('_') || host.includes('%') || hasControlCharacter(host))
    return reading
  const ascii = domainToASCII(host).toLowerCase()
  // The underscores are read as a letter: the other rules for labels, lengths and suffixes hold for both.
  const { ascii: masked, ...parts } = readDomainName(ascii.replaceAll('_', 'a'))
  const { registrable, privateBoundary } = parts
  const isHeld = [registrable, privateBoundary ?? registrable].every(
    (name) => name !== null && ascii.endsWith(`.${name}`),
  )
  if (masked === null || registrable === null || !isHeld) return reading
  return {
    ...parts,
    ascii,
    subdomain: ascii.slice(0, -registrable.length - 1),
    unicode: ascii.includes('xn--') ? domainToUnicode(ascii) : ascii,
  }
}

/** Like `readDomainName`, for a host that the caller has already extracted from `value`. */
export function readHostName(value: string, host: string): HostReading {
  if (isIpLiteral(value)) return formless('ip_literal')
  if (isMalformedHost(host)) return formless('malformed')
  const ascii = asciiDomain(host)
  if (ascii !== undefined) return ascii.endsWith('.localhost') ? formless('localhost') : { ascii, ...divideHost(ascii) }
  const label = asciiDomain(`${host}.${anySuffix}`)
  if (label === undefined || host.includes('.')) return formless('malformed')
  return formless(label === `localhost.${anySuffix}` ? 'localhost' : 'single_label')
}

const anySuffix = 'example'

function formless(reason: Formless): HostReading {
  return { ...noParts, ascii: null, reason }
}

/**
 * Returns the domain that identifies an owner. It is the domain below a private suffix, or else the registrable domain. Null for a name that cannot
 * be registered.
 */
export function unitOf({ registrable, privateBoundary, reason }: HostReading): string | null {
  return reason === 'public_suffix' ? null : (privateBoundary ?? registrable)
}
