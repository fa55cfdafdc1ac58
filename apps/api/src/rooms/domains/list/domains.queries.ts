import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex, elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { DnsKind, DomainName, StoredStatus } from '../domains.table.ts'
import { isOfBlocked } from '../names/withheld.ts'

/** The first text behind all texts that begin with this one. */
export const behind = (beginning: string): string => `${beginning}\u{10ffff}`

/** `search`: how the domain begins. `withoutBlocked`: leaves out the domains of do not contact records. */
export type DomainFilter = { search: string | undefined; isWaiting: boolean; withoutBlocked: boolean }

/** Returns a page of domains in alphabetical order. */
export async function selectDomains(
  db: Db,
  tenantId: string,
  filter: DomainFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<DomainName[]> {
  return domainsOf(db, tenantId, filter)
    .$if(after !== undefined, (query) => query.where('n.domain', '>', after ?? ''))
    .orderBy('n.domain')
    .limit(limit)
    .execute()
}

/** Selects the domains that a list shows on all its pages. */
export function domainsOf(db: Db, tenantId: string, { search, isWaiting, withoutBlocked }: DomainFilter) {
  const table = isWaiting ? sql`n ${alongIndex('domain_names_waiting')}` : sql`n`
  return db
    .selectFrom(sql<DomainName>`domain_names`.as<'n'>(table))
    .selectAll('n')
    .where('n.tenant_id', '=', tenantId)
    .$if(isWaiting, (query) => query.where('n.open_candidates', '>', sql.lit(0)))
    .$if(search !== undefined, (query) =>
      query.where('n.domain', '>=', search ?? '').where('n.domain', '<', behind(search ?? '')),
    )
    .$if(withoutBlocked, (query) => query.where(({ not }) => not(isOfBlocked(tenantId, sql.ref('n.domain')))))
}

export type UserRow = {
  domain: string
  id: string
  name: string
  do_not_contact: 0 | 1
  by_record: 0 | 1
  by_email: 0 | 1
  hosts: string
}

/** Returns the active records that use each of these domains, oldest first; at most `limit` of each domain. */
export const selectUsers = prepared<{ tenantId: string; domains: readonly string[]; limit: number }>()(
  (_db, param) => sql<UserRow>`
    SELECT u.domain, b.id, b.name, b.do_not_contact, u.by_record, u.by_email, u.hosts
    FROM ${elementsOf(param('domains'), 'wanted')}
      ${thenJoin} domain_uses u ON u.tenant_id = ${param('tenantId')} AND u.domain = wanted.value AND u.business_id IN (
        SELECT x.business_id FROM domain_uses x ${thenJoin} businesses y
          ON y.tenant_id = x.tenant_id AND y.id = x.business_id AND y.status = 'active'
        WHERE x.tenant_id = ${param('tenantId')} AND x.domain = wanted.value ORDER BY x.business_id LIMIT ${param('limit')})
      ${thenJoin} businesses b ON b.tenant_id = u.tenant_id AND b.id = u.business_id
    ORDER BY u.business_id`,
)

export type LatestRow = {
  id: string
  name: string
  kind: DnsKind
  status: StoredStatus
  observed_at: string | null
  ttl: number | null
}

/** Returns the newest observation of each of these record types for exactly these names. */
export const selectLatest = prepared<{ tenantId: string; names: readonly string[]; kinds: readonly DnsKind[] }>()(
  (_db, param) => sql<LatestRow>`
    SELECT o.id, o.name, o.kind, o.status, o.observed_at, o.ttl
    FROM ${elementsOf(param('names'), 'wanted')}
      ${thenJoin} ${elementsOf(param('kinds'), 'asked')} ON true
      ${thenJoin} dns_observations o ON o.tenant_id = ${param('tenantId')} AND o.id = (
        SELECT max(x.id) FROM dns_observations x
        WHERE x.tenant_id = ${param('tenantId')} AND x.name = wanted.value AND x.kind = asked.value AND x.name IS NOT NULL)`,
)

/** Returns observed names below a domain, with their number of observations. */
export async function selectOtherNames(db: Db, tenantId: string, domain: string, limit: number) {
  const { rows } = await sql<{ name: string; observations: number }>`
    SELECT name, count(*) AS observations FROM dns_observations ${alongIndex('dns_observations_by_domain')}
    WHERE tenant_id = ${tenantId} AND domain = ${domain} AND domain IS NOT NULL AND name <> domain
    GROUP BY name ORDER BY name LIMIT ${limit}`.execute(db)
  return rows
}

export type AssociationRow = {
  candidate_id: string
  business_id: string
  created_at: string
  created_by: string
  creator_name: string | null
  withdrawn_at: string | null
}

export async function selectAssociations(
  db: Db,
  tenantId: string,
  domain: string,
  limit: number,
): Promise<AssociationRow[]> {
  return db
    .selectFrom('domain_associations as a')
    .innerJoin('domain_candidate_states as s', (join) =>
      join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.candidate_id', '=', 'a.candidate_id'),
    )
    .leftJoin('users as u', 'u.id', 'a.created_by')
    .select([
      'a.candidate_id',
      'a.business_id',
      'a.created_at',
      'a.created_by',
      'u.name as creator_name',
      's.withdrawn_at',
    ])
    .where('a.tenant_id', '=', tenantId)
    .where('a.domain', '=', domain)
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the survivor of each record. A record that was not merged is its own survivor. */
export async function selectSurvivors(db: Db, tenantId: string, ids: readonly string[]) {
  const { rows } = await sql<{ origin: string; id: string; name: string; do_not_contact: 0 | 1 }>`
    WITH RECURSIVE up (origin, id) AS (
      SELECT value, value FROM ${elementsOf(ids, 'asked')}
      UNION
      SELECT up.origin, b.merged_into FROM up ${thenJoin} businesses b
        ON b.tenant_id = ${tenantId} AND b.id = up.id WHERE b.merged_into IS NOT NULL
    )
    SELECT up.origin, b.id, b.name, b.do_not_contact FROM up ${thenJoin} businesses b
      ON b.tenant_id = ${tenantId} AND b.id = up.id WHERE b.merged_into IS NULL`.execute(db)
  return new Map(rows.map((row) => [row.origin, row]))
}
