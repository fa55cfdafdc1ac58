import { sql } from 'kysely'
import { actorRef } from '../../lib/actor.ts'
import type { Db } from '../../store/database.ts'
import { inList, unindexed } from '../../store/engine/dialect.ts'
import type { FactField } from '../businesses/businesses.ts'
import type { Evidence } from './evidence.schema.ts'
import type { EvidenceTable } from './evidence.table.ts'

export async function insertEvidence(db: Db, row: EvidenceTable): Promise<void> {
  await db.insertInto('evidence').values(row).execute()
}

function evidenceWithActor(db: Db) {
  return db
    .selectFrom('evidence as e')
    .leftJoin('users as u', 'u.id', 'e.created_by')
    .leftJoin('evidence as later', (join) =>
      join.onRef('later.tenant_id', '=', 'e.tenant_id').onRef('later.supersedes_id', '=', 'e.id'),
    )
    .leftJoin('source_record_raws as w', (join) =>
      join.onRef('w.tenant_id', '=', 'e.tenant_id').onRef('w.record_id', '=', 'e.source_record_id'),
    )
    .selectAll('e')
    .select(['u.name as actor_name', 'later.id as superseded_by_id', 'w.state as raw_state'])
}

/** Returns one observation of exactly this business. */
export async function findEvidence(
  db: Db,
  tenantId: string,
  businessId: string,
  id: string,
): Promise<Evidence | undefined> {
  const row = await evidenceWithActor(db)
    .where('e.tenant_id', '=', tenantId)
    .where('e.business_id', '=', businessId)
    .where('e.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toEvidence(row)
}

export async function selectEvidence(
  db: Db,
  wanted: { tenantId: string; businessId: string; before: string | undefined; limit: number },
): Promise<Evidence[]> {
  const { tenantId, businessId, before, limit } = wanted
  const rows = await evidenceWithActor(db)
    .where('e.tenant_id', '=', tenantId)
    .where('e.business_id', '=', businessId)
    .$if(before !== undefined, (query) => query.where('e.id', '<', before ?? ''))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toEvidence)
}

/** Returns those observations of these records that have one of these ids, ordered by id. */
export async function selectNamed(
  db: Db,
  tenantId: string,
  family: readonly string[],
  ids: readonly string[],
): Promise<Evidence[]> {
  const rows = await evidenceWithActor(db)
    .where('e.tenant_id', '=', tenantId)
    .where(unindexed(sql<string>`e.business_id`), 'in', inList(family))
    .where('e.id', 'in', inList(ids))
    .orderBy('e.id')
    .execute()
  return rows.map(toEvidence)
}

export type ClaimRow = Pick<
  EvidenceTable,
  | 'id'
  | 'business_id'
  | 'field'
  | 'value'
  | 'confidence'
  | 'observed_at'
  | 'captured_at'
  | 'captured_on'
  | 'observed_on'
  | 'source_reference'
  | 'source_label'
> & { raw_state: Evidence['rawState'] }

/** Returns claims about one field that no later observation supersedes, newest first. */
export async function selectCurrentClaims(
  db: Db,
  wanted: { tenantId: string; businessId: string; field: FactField; limit: number },
): Promise<ClaimRow[]> {
  const { tenantId, businessId, field, limit } = wanted
  return db
    .selectFrom('evidence as e')
    .leftJoin('source_record_raws as w', (join) =>
      join.onRef('w.tenant_id', '=', 'e.tenant_id').onRef('w.record_id', '=', 'e.source_record_id'),
    )
    .select([
      'e.id',
      'e.business_id',
      'e.field',
      'e.value',
      'e.confidence',
      'e.observed_at',
      'e.captured_at',
      'e.captured_on',
      'e.observed_on',
      'e.source_reference',
      'e.source_label',
      'w.state as raw_state',
    ])
    .where('e.tenant_id', '=', tenantId)
    .where('e.business_id', '=', businessId)
    .where('e.field', '=', field)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('evidence as later')
            .select('later.id')
            .whereRef('later.tenant_id', '=', 'e.tenant_id')
            .whereRef('later.supersedes_id', '=', 'e.id'),
        ),
      ),
    )
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
}

type EvidenceRow = EvidenceTable & {
  actor_name: string | null
  superseded_by_id: string | null
  raw_state: Evidence['rawState']
}

function toEvidence(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    businessId: row.business_id,
    field: row.field,
    value: row.value,
    observation: row.observation,
    sourceReference: row.source_reference,
    sourceLabel: row.source_label,
    capturedAt: row.captured_at,
    capturedOn: row.captured_on,
    observedAt: row.observed_at,
    observedOn: row.observed_on,
    confidence: row.confidence,
    context: row.context,
    url: row.url,
    supersedesId: row.supersedes_id,
    supersededById: row.superseded_by_id,
    sourceRecordId: row.source_record_id,
    rawState: row.raw_state,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.actor_name),
  }
}

/** Returns the fields for which evidence of exactly this record states a value. */
export async function selectClaimedFields(db: Db, tenantId: string, businessId: string): Promise<FactField[]> {
  const rows = await db
    .selectFrom('evidence')
    .select('field')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('field', 'is not', null)
    .execute()
  return rows.flatMap(({ field }) => (field === null ? [] : [field]))
}
