import { notFound } from '../../../lib/app-error.ts'
import { fingerprintOfParts } from '../../../lib/seen.ts'
import type { Db } from '../../../store/database.ts'
import { familiesOf, findBusinesses, findHolderIds } from '../../businesses/businesses.ts'
import { acceptedDomainsOfEach } from '../../domains/domains.ts'
import { registrableDomain } from '../../normalization/normalization.ts'
import { bareHost } from '../pages/page-urls.rules.ts'
import { domainsFrom } from './record-hosts.ts'
import { findNewestScans, type StoredSite, selectSitesOfHosts } from './sites.queries.ts'

/** The parts of the state that a decision about a site depends on, each with the message for a change. */
export const siteParts = {
  record: 'The name, the status or a domain of the record changed.',
  others: 'Other prospects than before have this host.',
  pages: 'There is a newer scan of this host.',
  decisions: 'Somebody decided about this site.',
} as const

export type SiteState = { usedByOthers: number; fingerprint: string }

/** Returns the sites of a page, each with the facts of the tenant's records that a decision about the site depends on. */
export async function withState<Site extends StoredSite>(
  db: Db,
  tenantId: string,
  sites: readonly Site[],
  now: string,
): Promise<(Site & SiteState)[]> {
  const ids = sites.map(({ businessId }) => businessId)
  const hosts = sites.flatMap(hostsOf)
  const businesses = await findBusinesses(db, tenantId, ids)
  const families = await familiesOf(db, tenantId, ids)
  const accepted = await acceptedDomainsOfEach(db, tenantId, families)
  const holders = await findHolderIds(db, { tenantId, kind: 'domain' }, hosts.flatMap(domainsAbove))
  const approved = Map.groupBy(
    (await selectSitesOfHosts(db, { tenantId, hosts, now })).filter(({ state }) => state === 'approved'),
    ({ host }) => host,
  )
  const familyOf = ({ businessId }: Pick<StoredSite, 'businessId'>) => families.get(businessId) ?? []
  const places = sites.flatMap((site) =>
    hostsOf(site).flatMap((host) => familyOf(site).map((businessId) => ({ host, businessId }))),
  )
  const scans = await findNewestScans(db, { tenantId, wanted: places })
  return sites.map((site) => {
    const { host, businessId, state, decisionId } = site
    const family = familyOf(site)
    const business = businesses.get(businessId)
    if (business === undefined) throw notFound()
    const domains = domainsFrom(business, accepted.get(businessId) ?? [])
    // Other active prospects with the host, a domain above it, or an approved site on it; oldest first.
    const withDomain = hostsOf(site)
      .flatMap(domainsAbove)
      .flatMap((domain) => holders.get(domain) ?? [])
    const withSite = hostsOf(site)
      .flatMap((one) => approved.get(one) ?? [])
      .map((other) => other.businessId)
    const others = [...new Set([...withDomain, ...withSite]).difference(new Set(family))].toSorted()
    const ownScans = scans.filter((scan) => scan.host === host && family.includes(scan.businessId))
    const seen: Record<keyof typeof siteParts, unknown> = {
      record: [business.name, business.status, business.doNotContact !== null, domains.toSorted()],
      others,
      pages:
        ownScans
          .flatMap(({ id }) => id ?? [])
          .toSorted()
          .at(-1) ?? null,
      decisions: [state, decisionId],
    }
    return { ...site, usedByOthers: others.length, fingerprint: fingerprintOfParts(Object.values(seen)) }
  })
}

/** An erased site has no host. */
function hostsOf({ host }: Pick<StoredSite, 'host'>): string[] {
  return host === null ? [] : [host]
}

/** Returns the host without `www.` and every domain above it, up to the registrable domain. */
function domainsAbove(host: string): string[] {
  const bare = bareHost(host)
  const last = registrableDomain(bare) ?? bare
  const domains = [bare]
  for (let name = bare; name !== last && name.includes('.'); ) {
    name = name.slice(name.indexOf('.') + 1)
    domains.push(name)
  }
  return domains
}
