import type { Business } from '../../businesses/businesses.ts'
import { isSharedHost } from '../../contact-gate/contact-gate.ts'
import { isFreeMailDomain } from '../../normalization/normalization.ts'
import { isUnder } from '../pages/page-urls.rules.ts'

/** Where a host stands towards a record. `shared`: anybody can have a page there, so it identifies nobody. */
export type HostStanding = 'on_record' | 'shared' | 'other'

/** The domains of a record that are its own. Public and private suffixes have no normalized form. */
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
