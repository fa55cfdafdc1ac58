import { sql } from 'kysely'
import type { AuditAction } from '../../lib/declared.ts'
import { sequenceOfEvent } from '../../store/change/audit-chain.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, inList } from '../../store/engine/dialect.ts'
import type { AuditEventTable } from '../../store/store.table.ts'

/** What an event records, without its content. */
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

/** Returns the newest events with one of these actions in the activity of these businesses since a time, newest first. */
export function findActsOf(
  db: Db,
  wanted: {
    tenantId: string
    businessIds: readonly string[]
    actions: readonly AuditAction[]
    since: string
    limit: number
  },
): Promise<ActRow[]> {
  const { tenantId, businessIds, actions, since, limit } = wanted
  return acts(db, 'audit_events_by_business')
    .where('e.tenant_id', '=', tenantId)
    .where('e.business_id', 'in', inList(businessIds))
    .where('e.at', '>=', since)
    .where('e.action', 'in', inList(actions))
    .orderBy('e.sequence', 'desc')
    .limit(limit)
    .execute()
}
