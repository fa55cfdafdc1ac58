import type { Kysely } from 'kysely'
import { fingerprintOfParts } from '../../../lib/seen.ts'
import type { Database } from '../../../store/database.ts'
import { familyOf, findHolders, getBusiness } from '../../businesses/businesses.ts'
import { registrableDomain } from '../../normalization/normalization.ts'
import { bareHost } from '../pages/page-urls.rules.ts'
import { domainsOnRecord } from './record-hosts.ts'
import { findNewestScanOf, type StoredSite, selectSitesOfHost } from './sites.queries.ts'

type Db = Kysely<Database>

/** The parts of the state that a decision about a site depends on, each with the message for a change. */
export const siteParts = {
  record: 'The record has another name, status or domain.',
  others: 'Other prospects have this host than before.',
  pages: 'There is a newer scan of this host.',
  decisions: 'Somebody decided about this site.',
} as const

export type SiteStanding = { usedByOthers: number; fingerprint: string }

/** Returns the facts of the tenant's records that a decision about a site depends on. */
export async function standingOf(db: Db, tenantId: string, site: StoredSite, now: string): Promise<SiteStanding> {
  const business = await getBusiness(db, tenantId, site.businessId)
  const family = await familyOf(db, tenantId, site.businessId)
  const domains = await domainsOnRecord(db, tenantId, business)
  const host = site.host ?? ''
  const others = host === '' ? [] : await findOthers(db, { tenantId, host, family, now })
  const seen: Record<keyof typeof siteParts, unknown> = {
    record: [business.name, business.status, business.doNotContact !== null, domains.toSorted()],
    others,
    pages: host === '' ? null : await findNewestScanOf(db, { tenantId, businessIds: family, host }),
    decisions: [site.state, site.decisionId],
  }
  return { usedByOthers: others.length, fingerprint: fingerprintOfParts(Object.values(seen)) }
}

/** Returns other active prospects with the host, a domain above it, or an approved site on it; oldest first. */
async function findOthers(
  db: Db,
  { tenantId, host, family, now }: { tenantId: string; host: string; family: readonly string[]; now: string },
): Promise<string[]> {
  const found = new Set<string>()
  for (const normalized of domainsAbove(host))
    for (const { id } of await findHolders(db, { tenantId, kind: 'domain', normalized })) found.add(id)
  for (const site of await selectSitesOfHost(db, { tenantId, host, now }))
    if (site.state === 'approved') found.add(site.businessId)
  return [...found].filter((id) => !family.includes(id)).toSorted()
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
