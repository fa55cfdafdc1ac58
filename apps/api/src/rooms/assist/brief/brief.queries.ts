import { sql } from 'kysely'
import type { PipelineState } from '../../../lib/pipeline-state.ts'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import type { FactField } from '../../businesses/businesses.ts'

/* Selects the rows that a brief counts and lists, of a business and of the records merged into it. */

type Family = { tenantId: string; family: readonly string[] }

export type BriefCounts = {
  superseded: number
  observed: number
  interactions: number
  corrected: number
  notes: number
}

/** Reads all counts in one snapshot. */
export async function readCounts(db: Db, { tenantId, family }: Family): Promise<BriefCounts> {
  const members = inList(family)
  const { rows } = await sql<BriefCounts>`SELECT
    (SELECT count(*) FROM evidence e WHERE e.tenant_id = ${tenantId} AND e.business_id IN ${members} AND ${isSuperseded}) AS superseded,
    (SELECT count(*) FROM evidence e WHERE e.tenant_id = ${tenantId} AND e.business_id IN ${members}
      AND e.observation IS NOT NULL AND NOT ${isSuperseded}) AS observed,
    (SELECT count(*) FROM interactions i WHERE i.tenant_id = ${tenantId} AND i.business_id IN ${members}) AS interactions,
    (SELECT count(*) FROM interactions i WHERE i.tenant_id = ${tenantId} AND i.business_id IN ${members} AND ${isCorrected}) AS corrected,
    (SELECT count(*) FROM notes n WHERE n.tenant_id = ${tenantId} AND n.business_id IN ${members}) AS notes`.execute(db)
  const [counts] = rows
  if (counts === undefined) throw new Error('A SELECT without a table returned nothing.')
  return counts
}

const isSuperseded = sql`EXISTS (SELECT 1 FROM evidence later WHERE later.tenant_id = e.tenant_id AND later.supersedes_id = e.id)`
const isCorrected = sql`EXISTS (SELECT 1 FROM interactions later WHERE later.tenant_id = i.tenant_id AND later.corrects_id = i.id)`

/** Selects the newest observations with free text that are not superseded. */
export async function selectObservedIds(db: Db, { tenantId, family }: Family, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT e.id FROM evidence e WHERE e.tenant_id = ${tenantId} AND e.business_id IN ${inList(family)}
      AND e.observation IS NOT NULL AND NOT ${isSuperseded}
    ORDER BY e.id DESC LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Selects the claims about these fields that are not superseded, newest first. */
export async function selectClaimIds(
  db: Db,
  { tenantId, family }: Family,
  fields: readonly FactField[],
  limit: number,
): Promise<{ id: string; field: FactField }[]> {
  if (fields.length === 0) return []
  const { rows } = await sql<{ id: string; field: FactField }>`
    SELECT e.id, e.field FROM evidence e WHERE e.tenant_id = ${tenantId} AND e.business_id IN ${inList(family)}
      AND e.field IN ${inList(fields)} AND NOT ${isSuperseded}
    ORDER BY e.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** Selects the latest interactions that are not corrected. */
export async function selectInteractionsOf(db: Db, { tenantId, family }: Family, limit: number) {
  const { rows } = await sql<{ id: string; occurred_at: string; channel: string; outcome: string }>`
    SELECT i.id, i.occurred_at, i.channel, i.outcome FROM interactions i
    WHERE i.tenant_id = ${tenantId} AND i.business_id IN ${inList(family)} AND NOT ${isCorrected}
    ORDER BY i.occurred_at DESC, i.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/**
 * Returns the last pipeline move of this record itself. A merge does not combine the moves of two records, and a state that a merge changes is no
 * move.
 */
export async function findLastMove(db: Db, tenantId: string, businessId: string) {
  const { rows } = await sql<{ at: string; from_state: PipelineState; to_state: PipelineState }>`
    SELECT at, from_state, to_state FROM pipeline_transitions
    WHERE tenant_id = ${tenantId} AND business_id = ${businessId} AND merge_id IS NULL ORDER BY id DESC LIMIT 1`.execute(
    db,
  )
  return rows[0]
}
