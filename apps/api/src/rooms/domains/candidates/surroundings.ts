import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { readTexts } from '../../../store/json-column.ts'
import { isSharedHost, readDomainName } from '../../normalization/normalization.ts'
import { recordsSchema } from '../dns/dns.schema.ts'
import { freshnessOf } from '../dns/observations.rules.ts'
import type { DnsKind, DomainName } from '../domains.table.ts'
import { candidateLimits } from './candidates.schema.ts'
import type { DnsFact, Lookalike, Surroundings } from './evaluate.rules.ts'

type OfDomain = { tenantId: string; domain: string }

/** Maximum number of other records, of names below a domain and of similar domains that one evaluation reads. */
const READ_AT_MOST = 50

const nameRow = prepared<OfDomain>()((db, param) =>
  db
    .selectFrom('domain_names')
    .selectAll()
    .where('tenant_id', '=', param('tenantId'))
    .where('domain', '=', param('domain')),
)

const recordsWithDomain = prepared<OfDomain & { businessId: string; limit: number }>()((db, param) =>
  db
    .selectFrom('domain_uses as u')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'u.tenant_id').onRef('b.id', '=', 'u.business_id'),
    )
    .select(['b.id', 'u.hosts'])
    .where('u.tenant_id', '=', param('tenantId'))
    .where('u.domain', '=', param('domain'))
    .where('u.business_id', '<>', param('businessId'))
    .where('u.by_record', '=', 1)
    .orderBy('u.business_id')
    .limit(param('limit')),
)

const recordsWithMail = prepared<OfDomain & { businessId: string; limit: number }>()((db, param) =>
  db
    .selectFrom('domain_uses')
    .select('business_id as id')
    .where('tenant_id', '=', param('tenantId'))
    .where('domain', '=', param('domain'))
    .where('business_id', '<>', param('businessId'))
    .where('by_record', '=', 0)
    .orderBy('business_id')
    .limit(param('limit')),
)

const ownUse = prepared<OfDomain & { businessId: string }>()((db, param) =>
  db
    .selectFrom('domain_uses')
    .select('business_id')
    .where('tenant_id', '=', param('tenantId'))
    .where('domain', '=', param('domain'))
    .where('business_id', '=', param('businessId')),
)

/** Selects the open candidates of the record for the domain, at most one. */
const ownProposals = prepared<OfDomain & { businessId: string }>()(
  (_db, param) => sql<{ id: string }>`
    SELECT c.id FROM domain_candidates c ${alongIndex('domain_candidates_by_business')}
    ${thenJoin} domain_candidate_states s ON s.tenant_id = c.tenant_id AND s.candidate_id = c.id AND s.state = 'open'
    WHERE c.tenant_id = ${param('tenantId')} AND c.business_id = ${param('businessId')} AND c.domain = ${param('domain')}`,
)

/** Selects accepted associations of the domain with records other than this one and those merged into it. */
const otherAssociations = prepared<OfDomain & { businessId: string; limit: number }>()(
  (_db, param) => sql<{ id: string }>`
    SELECT b.id FROM domain_associations a
    JOIN domain_candidate_states s ON s.tenant_id = a.tenant_id AND s.candidate_id = a.candidate_id AND s.state = 'accepted'
    JOIN businesses b ON b.tenant_id = a.tenant_id AND b.id = a.business_id
    WHERE a.tenant_id = ${param('tenantId')} AND a.domain = ${param('domain')} AND a.business_id <> ${param('businessId')}
      AND coalesce(b.merged_into, b.id) <> ${param('businessId')}
    ORDER BY a.id LIMIT ${param('limit')}`,
)

const lookalikes = prepared<OfDomain & { skeleton: string; letters: string; limit: number }>()(
  (_db, param) => sql<{ domain: string; skeleton: string }>`
    SELECT domain, skeleton FROM domain_names ${alongIndex('domain_names_by_letters')}
    WHERE tenant_id = ${param('tenantId')} AND letters = ${param('letters')} AND domain <> ${param('domain')} AND uses > 0
    ORDER BY skeleton = ${param('skeleton')} DESC, domain LIMIT ${param('limit')}`,
)

type ObservationRow = {
  name: string
  kind: DnsKind
  status: string
  records: string
  observed_at: string
  ttl: number | null
}

const newestObservations = prepared<OfDomain & { limit: number }>()(
  (_db, param) => sql<ObservationRow>`
    SELECT name, kind, status, records, observed_at, ttl FROM dns_observations
    WHERE tenant_id = ${param('tenantId')} AND domain = ${param('domain')} AND status <> 'pending'
    ORDER BY id DESC LIMIT ${param('limit')}`,
)

/** Reads the facts of the tenant about a domain, except those of this record. */
export async function readSurroundings(
  db: Db,
  { tenantId, businessId, domain }: OfDomain & { businessId: string },
  { doNotContact, now }: { doNotContact: boolean; now: Date },
): Promise<Surroundings> {
  const { reason } = readDomainName(domain)
  const around: Surroundings = {
    subject: `${tenantId} ${domain}`,
    isSharedHost: isSharedHost(domain),
    suffix: reason === 'private_suffix' || reason === 'unknown_suffix' ? reason : null,
    otherRecords: [],
    otherMail: [],
    otherUses: 0,
    otherProposals: 0,
    otherAssociations: [],
    hasSiblings: false,
    lookalikes: [],
    dns: [],
    unusedNames: [],
    doNotContact,
    at: now.toISOString(),
  }
  const [known] = await nameRow(db, { tenantId, domain })
  if (known === undefined) return around
  const asked = { tenantId, domain, businessId, limit: READ_AT_MOST }
  const records = known.uses > 0 ? await recordsWithDomain(db, asked) : []
  const hosts = records.flatMap((row) => readTexts(row.hosts))
  const { dns, unusedNames } = await readDns(db, known, new Set(hosts), now)
  const otherUses = known.uses - (await ownUse(db, asked)).length
  const named = records.slice(0, candidateLimits.named).map(({ id }) => id)
  return {
    ...around,
    otherRecords: named,
    otherMail: otherUses > records.length ? await mailOf(db, asked, candidateLimits.named - named.length) : [],
    otherUses,
    otherProposals: known.open_candidates - (await ownProposals(db, asked)).length,
    otherAssociations: known.candidates > 0 ? await associatedWith(db, asked) : [],
    hasSiblings: hosts.some((host) => host !== domain && host !== `www.${domain}`),
    lookalikes: await readLookalikes(db, known),
    dns,
    unusedNames,
  }
}

async function mailOf(db: Db, asked: Parameters<typeof recordsWithMail>[1], limit: number): Promise<string[]> {
  return limit === 0 ? [] : (await recordsWithMail(db, { ...asked, limit })).map(({ id }) => id)
}

async function associatedWith(db: Db, asked: Parameters<typeof otherAssociations>[1]): Promise<string[]> {
  return (await otherAssociations(db, { ...asked, limit: candidateLimits.named })).map(({ id }) => id)
}

/** Returns known domains that look similar to the given one. */
export async function lookalikesOf(db: Db, tenantId: string, domain: string): Promise<Lookalike[]> {
  const [known] = await nameRow(db, { tenantId, domain })
  return known === undefined ? [] : readLookalikes(db, known)
}

async function readLookalikes(
  db: Db,
  { tenant_id: tenantId, domain, skeleton, letters }: DomainName,
): Promise<Lookalike[]> {
  const rows = await lookalikes(db, { tenantId, domain, skeleton, letters, limit: READ_AT_MOST })
  const ownLabel = domain.split('.', 1).join()
  return rows
    .filter((row) => row.domain.split('.', 1).join() !== ownLabel)
    .map((row) => ({
      domain: row.domain,
      grade: row.skeleton === skeleton ? 'foreign_letters' : 'similar_letters',
    }))
}

async function readDns(
  db: Db,
  { tenant_id: tenantId, domain, observations }: DomainName,
  used: ReadonlySet<string>,
  now: Date,
): Promise<Pick<Surroundings, 'dns' | 'unusedNames'>> {
  if (observations === 0) return { dns: [], unusedNames: [] }
  const rows = await newestObservations(db, { tenantId, domain, limit: READ_AT_MOST })
  const newest = new Map<string, ObservationRow>()
  for (const row of rows) if (!newest.has(`${row.name} ${row.kind}`)) newest.set(`${row.name} ${row.kind}`, row)
  const dns: DnsFact[] = []
  const unusedNames: Surroundings['unusedNames'][number][] = []
  for (const { name, kind, status, records, observed_at: observedAt, ttl } of newest.values()) {
    if (name === domain) {
      const freshness = freshnessOf(observedAt, ttl, now)
      const freshUntil = freshness?.until ?? observedAt
      const isFresh = freshness?.state === 'fresh'
      dns.push({ kind, status, records: recordsSchema.parse(JSON.parse(records)), observedAt, freshUntil, isFresh })
    } else if (!used.has(name) && name !== `www.${domain}`) unusedNames.push({ name, status, records })
  }
  return { dns, unusedNames }
}
