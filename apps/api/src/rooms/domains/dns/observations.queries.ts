import { sql } from 'kysely'
import { actorRef } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { DueAt } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import { alongIndex } from '../../../store/engine/dialect.ts'
import { readTexts } from '../../../store/json-column.ts'
import { SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import type { DnsKind, DnsObservationTable, StoredStatus } from '../domains.table.ts'
import { type Observation, recordsSchema } from './dns.schema.ts'
import { freshnessOf } from './observations.rules.ts'

export async function insertObservation(db: Db, row: DnsObservationTable): Promise<void> {
  await db.insertInto('dns_observations').values(row).execute()
}

function observationsWithActor(db: Db, index?: string) {
  const alias = index === undefined ? sql`o` : sql`o ${alongIndex(index)}`
  return db
    .selectFrom(sql<DnsObservationTable>`dns_observations`.as<'o'>(alias))
    .leftJoin('users as u', 'u.id', 'o.created_by')
    .selectAll('o')
    .select('u.name as actor_name')
}

export type ObservationRow = DnsObservationTable & { actor_name: string | null }

/** Returns one observation. Errors: `not_found`. */
export async function getObservationRow(db: Db, tenantId: string, id: string): Promise<ObservationRow> {
  return observationsWithActor(db)
    .where('o.tenant_id', '=', tenantId)
    .where('o.id', '=', id)
    .where('o.name', 'is not', null)
    .executeTakeFirstOrThrow(notFound)
}

export type ObservationFilter = {
  domain?: string | undefined
  /** a name of the domain, which must be set too */
  name?: string | undefined
  kind?: DnsKind | undefined
  status?: StoredStatus | undefined
}

/** Returns observations, newest first. */
export async function selectObservations(
  db: Db,
  tenantId: string,
  filter: ObservationFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ObservationRow[]> {
  return matchingObservations(db, tenantId, filter)
    .$if(before !== undefined, (query) => query.where('o.id', '<', before ?? ''))
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute()
}

/** Selects the observations that a list shows on all its pages. */
export function matchingObservations(db: Db, tenantId: string, { domain, name, kind, status }: ObservationFilter) {
  return observationsWithActor(db, domain === undefined ? undefined : 'dns_observations_by_domain')
    .where('o.tenant_id', '=', tenantId)
    .where('o.name', 'is not', null)
    .$if(domain !== undefined, (query) => query.where('o.domain', '=', domain ?? ''))
    .$if(name !== undefined, (query) => query.where('o.name', '=', name ?? ''))
    .$if(kind !== undefined, (query) => query.where('o.kind', '=', kind ?? 'MX'))
    .$if(status !== undefined, (query) => query.where('o.status', '=', status ?? 'pending'))
}

export function toObservation(row: ObservationRow, now: Date, doNotContact: boolean): Observation {
  const { name, domain, ttl, observed_at: observedAt } = row
  if (name === null || domain === null) throw notFound()
  const freshness = freshnessOf(observedAt, ttl, now)
  const uncertainty: Observation['uncertainty'] = []
  if (row.origin === 'operator') uncertainty.push('operator_supplied')
  if (row.is_partial === 1) uncertainty.push('partial')
  if (freshness !== null && ttl === null) uncertainty.push('no_ttl')
  if (freshness?.state === 'stale') uncertainty.push('stale')
  if (row.suffix_list_version !== SUFFIX_LIST_VERSION) uncertainty.push('other_suffix_list')
  return {
    id: row.id,
    name,
    domain,
    kind: row.kind,
    status: row.status,
    records: recordsSchema.parse(JSON.parse(row.records)),
    resolver: row.resolver,
    origin: row.origin,
    observedAt,
    ttl,
    freshness,
    aliases: readTexts(row.aliases),
    isTruncated: row.is_truncated === 1,
    isPartial: row.is_partial === 1,
    uncertainty,
    errorReason: row.reason,
    policyVersion: row.policy_version,
    normalizationVersion: row.normalization_version,
    suffixListVersion: row.suffix_list_version,
    rawState: row.raw !== null ? 'kept' : row.raw_deleted_at !== null ? 'deleted' : 'none',
    doNotContact,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.actor_name),
  }
}

/** Returns the ids of observations whose pasted text has passed its retention period. */
export async function selectDueTexts(db: Db, { tenantId, now, limit }: DueAt): Promise<string[]> {
  const rows = await db
    .selectFrom('dns_observations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('raw', 'is not', null)
    .where('raw_delete_after', '<=', now)
    .orderBy('raw_delete_after')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateObservation(
  db: Db,
  tenantId: string,
  id: string,
  changed: Partial<DnsObservationTable>,
): Promise<void> {
  await db.updateTable('dns_observations').set(changed).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Returns the observations with these ids, in the order of `ids`, without erased ones. */
export async function findObservationRows(db: Db, tenantId: string, ids: readonly string[]): Promise<ObservationRow[]> {
  if (ids.length === 0) return []
  const rows = await observationsWithActor(db).where('o.tenant_id', '=', tenantId).where('o.id', 'in', ids).execute()
  // Filter here instead of in the statement, where the condition would make the planner read a partial index of all observations.
  const named = rows.filter(({ name }) => name !== null)
  return ids.flatMap((id) => named.find((row) => row.id === id) ?? [])
}

/** Returns the jobs of pending observations. */
export async function selectOpenJobs(db: Db, tenantId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('dns_observations')
    .select('job_id')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'pending')
    .where('name', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ job_id }) => job_id ?? [])
}
