import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { Business } from '../../businesses/businesses.ts'
import { type AcceptedDomain, acceptedDomainsOf } from '../../domains/domains.ts'
import { isFreeMailDomain, isSharedHost } from '../../normalization/normalization.ts'
import { isUnder } from '../pages/page-urls.rules.ts'

/** The relation between a host and a record. `shared`: anybody can publish on the host, so it identifies no business. */
export type HostKind = 'on_record' | 'shared' | 'other'

/**
 * Returns the domains that are the record's own, without shared hosts, free mail domains, and domains without a normalized form (public and private
 * suffixes).
 */
export function ownDomains({ domains }: Pick<Business, 'domains'>): string[] {
  return domains.flatMap(({ normalized }) => (normalized === null || isAnybodys(normalized) ? [] : [normalized]))
}

/**
 * Returns the domains that a host of the record may lie under: the record's own domains, and those that a person accepted for it and nobody withdrew.
 */
export async function domainsOnRecord(
  db: Kysely<Database>,
  tenantId: string,
  business: Pick<Business, 'id' | 'domains'>,
): Promise<string[]> {
  return domainsFrom(business, await acceptedDomainsOf(db, tenantId, business.id))
}

/** `domainsOnRecord`, of a record whose accepted domains were read. */
export function domainsFrom(business: Pick<Business, 'domains'>, accepted: readonly AcceptedDomain[]): string[] {
  const usable = accepted.flatMap(({ domain }) => (isAnybodys(domain) ? [] : [domain]))
  return [...new Set([...ownDomains(business), ...usable])]
}

export function kindOfHost(host: string, domains: readonly string[]): HostKind {
  if (isAnybodys(host)) return 'shared'
  return isUnder(host, domains) ? 'on_record' : 'other'
}

function isAnybodys(host: string): boolean {
  return isSharedHost(host) || isFreeMailDomain(host)
}
