import { sql } from 'kysely'
import type { AuditAction } from '../../lib/declared.ts'
import { sequenceOfEvent } from '../../store/change/audit-chain.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, inList, isOther } from '../../store/engine/dialect.ts'
import type { AuditEventTable } from '../../store/store.table.ts'

/** An audit event without its values and its reason. */
export type ActRow = Pick<AuditEventTable, 'id' | 'sequence' | 'at' | 'actor' | 'action' | 'business_id'> & {
  actor_name: string | null
}

function acts(db: Db, along?: string) {
  const events = along === undefined ? sql`e` : sql`e ${alongIndex(along)}`
  return db
    .selectFrom(sql<AuditEventTable>`audit_events`.as<'e'>(events))
    .leftJoin('users as u', 'u.id', 'e.actor')
    .select(['e.id', 'e.sequence', 'e.at', 'e.actor', 'e.action', 'e.business_id', 'u.name as actor_name'])
}

/** Returns those of these events that are in the chain of the tenant, in the order of the chain. */
export async function selectActs(db: Db, tenantId: string, ids: readonly string[]): Promise<ActRow[]> {
  if (ids.length === 0) return []
  const wanted = new Set(ids)
  const rows = await acts(db)
    .where('e.tenant_id', '=', tenantId)
    .where('e.sequence', 'in', inList(ids.map(sequenceOfEvent)))
    .orderBy('e.sequence')
    .execute()
  return rows.filter(({ id }) => wanted.has(id))
}

type WantedActs = { tenantId: string; actions: readonly AuditAction[]; since: string; limit: number }

/** Returns the newest events with one of these actions in the activity of these businesses since a time, newest first. */
export function findActsOf(db: Db, wanted: WantedActs & { businessIds: readonly string[] }): Promise<ActRow[]> {
  return newestActs(db, 'audit_events_by_business', wanted)
    .where('e.business_id', 'in', inList(wanted.businessIds))
    .execute()
}

/** Returns the newest of these events about records other than businesses, such as entries of the do-not-contact list, newest first. */
export function findActsAbout(db: Db, wanted: WantedActs & { subjectIds: readonly string[] }): Promise<ActRow[]> {
  return newestActs(db, 'audit_events_by_subject', wanted)
    .where('e.subject_id', 'in', inList(wanted.subjectIds))
    .where(isOther(sql.ref('e.subject_id'), sql.ref('e.business_id')))
    .execute()
}

function newestActs(db: Db, along: string, { tenantId, actions, since, limit }: WantedActs) {
  return acts(db, along)
    .where('e.tenant_id', '=', tenantId)
    .where('e.at', '>=', since)
    .where('e.action', 'in', inList(actions))
    .orderBy('e.sequence', 'desc')
    .limit(limit)
}
