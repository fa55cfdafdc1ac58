import { sql } from 'kysely'
import { actorRef } from '../../../lib/actor.ts'
import type { Db } from '../../../store/database.ts'
import { inList, rowsOf } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { OfficialSiteDecisionTable, OfficialSiteTable } from '../scanning.table.ts'
import type { OfficialSite } from './sites.schema.ts'

/** A site with its newest decision. */
export type StoredSite = Omit<OfficialSite, 'usedByOthers' | 'fingerprint' | 'valuesHidden'> & {
  decisionId: string | null
}

export async function insertSite(db: Db, site: OfficialSiteTable): Promise<void> {
  await db.insertInto('official_sites').values(site).execute()
}

export async function insertDecision(db: Db, decision: OfficialSiteDecisionTable): Promise<void> {
  await db.insertInto('official_site_decisions').values(decision).execute()
}

function sitesWithDecision(db: Db) {
  return db
    .selectFrom('official_sites as s')
    .leftJoin('official_site_decisions as d', (join) =>
      join.onRef('d.tenant_id', '=', 's.tenant_id').on(
        'd.id',
        '=',
        sql<string>`(SELECT max(newest.id) FROM official_site_decisions AS newest
            WHERE newest.tenant_id = s.tenant_id AND newest.site_id = s.id)`,
      ),
    )
    .leftJoin('users as p', 'p.id', 's.created_by')
    .leftJoin('users as u', 'u.id', 'd.actor')
    .selectAll('s')
    .select(['d.id as decision_id', 'd.decision', 'd.reason', 'd.valid_until', 'd.at', 'd.actor'])
    .select(['p.name as proposer_name', 'u.name as decider_name'])
}

type Row = Awaited<ReturnType<ReturnType<typeof sitesWithDecision>['execute']>>[number]

export async function findSite(
  db: Db,
  { tenantId, id, now }: { tenantId: string; id: string; now: string },
): Promise<StoredSite | undefined> {
  const row = await sitesWithDecision(db).where('s.tenant_id', '=', tenantId).where('s.id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toSite(row, now)
}

/** Returns a site whose newest decision is an approval that has not ended. */
export async function findApprovedSite(db: Db, tenantId: string, now: string): Promise<string | undefined> {
  const row = await sitesWithDecision(db)
    .where('s.tenant_id', '=', tenantId)
    .where('s.host', 'is not', null)
    .where('d.decision', '=', 'approve')
    .where('d.valid_until', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Returns sites, newest first. Without `businessIds`: the sites of the whole tenant. */
export async function selectSites(
  db: Db,
  wanted: {
    tenantId: string
    businessIds: readonly string[] | undefined
    before: string | undefined
    limit: number
    now: string
  },
): Promise<StoredSite[]> {
  const { before, limit, now } = wanted
  const rows = await sitesOf(db, wanted)
    .$if(before !== undefined, (query) => query.where('s.id', '<', before ?? ''))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => toSite(row, now))
}

export function sitesOf(
  db: Db,
  { tenantId, businessIds }: { tenantId: string; businessIds: readonly string[] | undefined },
) {
  return sitesWithDecision(db)
    .where('s.tenant_id', '=', tenantId)
    .$if(businessIds !== undefined, (query) => query.where('s.business_id', 'in', inList(businessIds ?? [])))
}

/**
 * Selects the sites of a tenant with the mark `is_wanted` for those that nobody has decided about and whose host was not erased. `notBy`: without
 * the proposals of this person. No index has these conditions, because decisions are append-only rows of their own.
 */
export function markedProposals(db: Db, tenantId: string, { notBy }: { notBy?: string } = {}) {
  const ofOthers = notBy === undefined ? sql`` : sql`AND s.created_by <> ${notBy}`
  return db
    .selectFrom('official_sites as s')
    .select(
      sql<boolean>`s.host IS NOT NULL ${ofOthers} AND NOT EXISTS (
        SELECT 1 FROM official_site_decisions d WHERE d.tenant_id = s.tenant_id AND d.site_id = s.id)`.as('is_wanted'),
    )
    .where('s.tenant_id', '=', tenantId)
}

/**
 * Selects the decisions of a tenant, newest first, with the mark `is_wanted` for approvals and rejections since a time by other people of what this
 * person proposed. No index has these conditions.
 */
export function markedAnswers(db: Db, tenantId: string, { to, since }: { to: string; since: string }) {
  return db
    .selectFrom('official_site_decisions as d')
    .innerJoin('official_sites as s', (join) =>
      join.onRef('s.tenant_id', '=', 'd.tenant_id').onRef('s.id', '=', 'd.site_id'),
    )
    .select(
      sql<boolean>`d.at >= ${since} AND d.decision IN ('approve', 'reject') AND d.actor <> ${to} AND s.created_by = ${to}
        AND s.host IS NOT NULL AND d.id = (SELECT max(newest.id) FROM official_site_decisions AS newest
          WHERE newest.tenant_id = d.tenant_id AND newest.site_id = d.site_id)`.as('is_wanted'),
    )
    .where('d.tenant_id', '=', tenantId)
    .orderBy('d.id', 'desc')
}

/** Sites of these hosts, of every prospect, in no order: for an order by id the planner would read all sites of the tenant. */
export async function selectSitesOfHosts(
  db: Db,
  { tenantId, hosts, now }: { tenantId: string; hosts: readonly string[]; now: string },
): Promise<StoredSite[]> {
  const rows = await sitesWithDecision(db)
    .where('s.tenant_id', '=', tenantId)
    .where('s.host', 'in', inList(hosts))
    .where('s.host', 'is not', null)
    .execute()
  return rows.map((row) => toSite(row, now))
}

/** Returns approvals whose end has passed without a recorded expiry. */
export async function selectExpired(
  db: Db,
  { tenantId, now, limit }: { tenantId: string; now: string; limit: number },
): Promise<{ siteId: string; businessId: string; validUntil: string }[]> {
  const rows = await db
    .selectFrom('official_site_decisions as d')
    .innerJoin('official_sites as s', (join) =>
      join.onRef('s.tenant_id', '=', 'd.tenant_id').onRef('s.id', '=', 'd.site_id'),
    )
    .select(['d.site_id', 'd.valid_until', 's.business_id'])
    .where('d.tenant_id', '=', tenantId)
    .where('d.valid_until', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('official_site_decisions as later')
            .select('later.id')
            .whereRef('later.tenant_id', '=', 'd.tenant_id')
            .whereRef('later.site_id', '=', 'd.site_id')
            .whereRef('later.id', '>', 'd.id'),
        ),
      ),
    )
    .orderBy('d.valid_until')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ siteId: row.site_id, businessId: row.business_id, validUntil: row.valid_until ?? now }))
}

/** Returns the newest scan of each of these businesses at the host. */
export const findNewestScans = prepared<{
  tenantId: string
  wanted: readonly { host: string; businessId: string }[]
}>()((_db, param) => {
  return sql<{ host: string; businessId: string; id: string | null }>`
    SELECT wanted.host, wanted."businessId", (
      SELECT max(s.id) FROM scans s WHERE s.tenant_id = ${param('tenantId')} AND s.business_id = wanted."businessId"
        AND (s.url LIKE 'http://' || wanted.host || '/%' OR s.url LIKE 'https://' || wanted.host || '/%')) AS id
    FROM ${rowsOf(param('wanted'), 'wanted', { host: 'text', businessId: 'text' })}`
})

function toSite(row: Row, now: string): StoredSite {
  return {
    id: row.id,
    businessId: row.business_id,
    host: row.host,
    state: stateOf(row, now),
    origin: row.origin,
    proposedBy: actorRef(row.created_by, row.proposer_name),
    proposedAt: row.created_at,
    decidedBy: row.actor === null ? null : actorRef(row.actor, row.decider_name),
    decidedAt: row.at,
    reason: row.reason,
    validUntil: row.valid_until,
    decisionId: row.decision_id,
  }
}

function stateOf(
  { decision, valid_until: until }: Pick<Row, 'decision' | 'valid_until'>,
  now: string,
): OfficialSite['state'] {
  switch (decision) {
    case null:
      return 'proposed'
    case 'approve':
      return until !== null && until > now ? 'approved' : 'expired'
    case 'reject':
      return 'rejected'
    case 'withdraw':
      return 'withdrawn'
    case 'expire':
      return 'expired'
  }
}
