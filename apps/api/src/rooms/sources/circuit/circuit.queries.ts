import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared, preparedRow } from '../../../store/engine/prepared.ts'
import type { Circuit } from '../sources.schema.ts'
import type { SourceCircuitTable, SourceIncidentTable } from '../sources.table.ts'
import type { Counted } from './circuit.rules.ts'

type Key = { tenantId: string; sourceId: string }

/** Returns the newest transition, or undefined if the circuit never opened. */
export const findTransition = preparedRow<Key>()((db, param) =>
  db
    .selectFrom('source_circuits')
    .selectAll()
    .where('tenant_id', '=', param('tenantId'))
    .where('source_id', '=', param('sourceId'))
    .orderBy('id', 'desc')
    .limit(1),
)

export async function selectTransitionsOfMany(
  db: Db,
  tenantId: string,
  sourceIds: readonly string[],
): Promise<Map<string, SourceCircuitTable>> {
  const { rows } = await sql<SourceCircuitTable>`
    SELECT c.* FROM ${elementsOf(sourceIds, 'w')}
    ${thenJoin} source_circuits AS c ON c.tenant_id = ${tenantId} AND c.source_id = w.value
      AND c.id = (SELECT max(o.id) FROM source_circuits o WHERE o.tenant_id = c.tenant_id AND o.source_id = c.source_id)`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.source_id, row]))
}

export async function insertTransition(db: Db, row: SourceCircuitTable): Promise<void> {
  await db.insertInto('source_circuits').values(row).execute()
}

const counted = prepared<Key & { circuitId: string; limit: number }>()(
  (_db, param) => sql<{ is_failure: number; latency_ms: number | null }>`
    SELECT is_failure, latency_ms FROM source_permits
    WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')} AND is_failure IS NOT NULL
      AND coalesce(circuit_id, '') = ${param('circuitId')}
    ORDER BY id DESC LIMIT ${param('limit')}`,
)

/** Returns the requests since the newest transition that count for the circuit, newest first. */
export async function selectCounted(db: Db, key: Key, circuitId: string | null, limit: number): Promise<Counted[]> {
  const rows = await counted(db, { ...key, circuitId: circuitId ?? '', limit })
  return rows.map((row) => ({ isFailure: row.is_failure === 1, latencyMs: row.latency_ms ?? 0 }))
}

/** Returns the circuit for responses. `successes`: number of successful requests since its reset. */
export function toCircuit(
  row: SourceCircuitTable | undefined,
  { successes, needed }: { successes: number; needed: number | null },
): Circuit {
  const state = row?.state ?? 'closed'
  return {
    state,
    openingId: row === undefined || state === 'closed' ? null : row.opening_id,
    since: row?.at ?? null,
    cause: row?.cause ?? null,
    successes,
    successesNeeded: needed,
  }
}

export type IncidentRow = SourceIncidentTable & {
  slug: string
  source_name: string
  creator_name: string | null
  decider_name: string | null
}

function incidentsWithPeople(db: Db) {
  return db
    .selectFrom('source_incidents as i')
    .innerJoin('sources as s', (join) =>
      join.onRef('s.tenant_id', '=', 'i.tenant_id').onRef('s.id', '=', 'i.source_id'),
    )
    .leftJoin('users as creator', 'creator.id', 'i.created_by')
    .leftJoin('users as decider', 'decider.id', 'i.decided_by')
    .selectAll('i')
    .select(['s.slug', 's.name as source_name', 'creator.name as creator_name', 'decider.name as decider_name'])
}

export function findIncident(db: Db, key: Key, id: string): Promise<IncidentRow | undefined> {
  return incidentsWithPeople(db)
    .where('i.tenant_id', '=', key.tenantId)
    .where('i.source_id', '=', key.sourceId)
    .where('i.id', '=', id)
    .executeTakeFirst()
}

/** Incident records of the tenant, or of one of its sources. */
export const incidentsOf = (db: Db, tenantId: string, sourceId?: string) =>
  incidentsWithPeople(db)
    .where('i.tenant_id', '=', tenantId)
    .$if(sourceId !== undefined, (query) => query.where('i.source_id', '=', sourceId ?? ''))

/** Returns incident records, newest first. */
export function selectIncidents(
  db: Db,
  wanted: { tenantId: string; sourceId: string | undefined; before: string | undefined; limit: number },
): Promise<IncidentRow[]> {
  const { tenantId, sourceId, before, limit } = wanted
  return incidentsOf(db, tenantId, sourceId)
    .$if(before !== undefined, (query) => query.where('i.id', '<', before ?? ''))
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute()
}

export async function insertIncident(db: Db, row: SourceIncidentTable): Promise<void> {
  await db.insertInto('source_incidents').values(row).execute()
}

export async function updateIncident(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  changed: Partial<Pick<SourceIncidentTable, 'decision' | 'decision_reason' | 'decided_at' | 'decided_by' | 'used_at'>>,
): Promise<void> {
  await db.updateTable('source_incidents').set(changed).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}
