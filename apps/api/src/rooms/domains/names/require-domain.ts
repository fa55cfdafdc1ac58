import { AppError } from '../../../lib/app-error.ts'
import {
  type DomainReading,
  readDomainName,
  readOwnerName,
  type UnresolvedReason,
  unitOf,
} from '../../normalization/normalization.ts'

/** A host name with its registrable domain. `reason`: the suffix is private or unknown, so the registrable domain is uncertain. */
export type HeldName = { name: string; domain: string; reason: 'private_suffix' | 'unknown_suffix' | null }

const words: Record<UnresolvedReason, string> = {
  public_suffix: 'This is an ending that many domains share. Name a domain below it.',
  private_suffix: 'This is the ending of a service. Name a domain below it.',
  unknown_suffix: 'No domain ends like this.',
  reserved_suffix: 'This ending is reserved for documentation and tests.',
  malformed: 'This is malformed and is no domain. Write it as example.co.za.',
  single_label: 'A single word is no domain. Write it as example.co.za.',
  localhost: 'This is the name of a computer for itself, not a domain.',
  ip_literal: 'This is an IP address, not a domain.',
}

/** Parses a host name and requires that it has a registrable domain. Errors: `domain_not_resolvable`; the code of the field is the reason. */
export function requireDomain(value: string, path: string): HeldName {
  return heldName(readDomainName(value), path)
}

/** Like `requireDomain`, for the owner name of DNS records, such as `_dmarc.example.co.za`. */
export function requireOwnerName(value: string, path: string): HeldName {
  return heldName(readOwnerName(value), path)
}

function heldName(reading: DomainReading, path: string): HeldName {
  const domain = unitOf(reading)
  const { ascii, reason } = reading
  if (ascii === null || domain === null) {
    const code = reason ?? 'malformed'
    const message = words[code]
    throw new AppError('domain_not_resolvable', message, { errors: [{ path, code, message }] })
  }
  return { name: ascii, domain, reason: reason === 'private_suffix' || reason === 'unknown_suffix' ? reason : null }
}
