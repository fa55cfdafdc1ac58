import type { Business } from '../../businesses/businesses.ts'
import { isSharedHost } from '../../contact-gate/contact-gate.ts'
import { isFreeMailDomain } from '../../normalization/normalization.ts'
import { isUnder } from '../pages/page-urls.rules.ts'

/** The relation between a host and a record. `shared`: anybody can publish on the host, so it identifies no business. */
export type HostStanding = 'on_record' | 'shared' | 'other'

/**
 * Returns the domains that are the record's own, without shared hosts, free mail domains, and domains without a normalized form (public and private
 * suffixes).
 */
export function ownDomains({ domains }: Pick<Business, 'domains'>): string[] {
  return domains.flatMap(({ normalized }) => (normalized === null || isAnybodys(normalized) ? [] : [normalized]))
}

export function hostStanding(host: string, business: Pick<Business, 'domains'>): HostStanding {
  if (isAnybodys(host)) return 'shared'
  return isUnder(host, ownDomains(business)) ? 'on_record' : 'other'
}

function isAnybodys(host: string): boolean {
  return isSharedHost(host) || isFreeMailDomain(host)
}
