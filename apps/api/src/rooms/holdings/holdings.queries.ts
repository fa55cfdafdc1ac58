import { sql, type Updateable } from 'kysely'
import { actorRef } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import { latestBeginning } from '../../lib/clock.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex } from '../../store/engine/dialect.ts'
import { type Holding, readFileColumn, type StoredFile } from './holdings.schema.ts'
import type { HoldingTable } from './holdings.table.ts'

export type HoldingRow = HoldingTable & { creator_name: string | null }

export async function insertHolding(db: Db, row: HoldingTable): Promise<void> {
  await db.insertInto('holdings').values(row).execute()
}

export async function updateHolding(
  db: Db,
  { tenant_id, id }: Pick<HoldingTable, 'tenant_id' | 'id'>,
  set: Updateable<HoldingTable>,
): Promise<void> {
  await db.updateTable('holdings').set(set).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

/** Errors: `not_found`. */
export function getHoldingRow(db: Db, tenantId: string, id: string): Promise<HoldingRow> {
  return db
    .selectFrom('holdings as h')
    .leftJoin('users as creator', 'creator.id', 'h.created_by')
    .selectAll('h')
    .select('creator.name as creator_name')
    .where('h.tenant_id', '=', tenantId)
    .where('h.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Collections that are being written or have a file, oldest first. */
export function selectOpen(db: Db, tenantId: string): Promise<HoldingTable[]> {
  return db
    .selectFrom(sql<HoldingTable>`holdings`.as<'h'>(sql`h ${alongIndex('holdings_open')}`))
    .selectAll('h')
    .where('h.tenant_id', '=', tenantId)
    .where('h.ended_at', 'is', null)
    .orderBy('h.id')
    .execute()
}

/** True if the file has expired, also if it is stamped in the future because the clock was set back. */
export function isOver({ writtenAt, expiresAt }: Pick<StoredFile, 'writtenAt' | 'expiresAt'>, now: string): boolean {
  return expiresAt <= now || writtenAt > latestBeginning(now)
}

export function statusOf(row: HoldingTable, now: string): Holding['status'] {
  if (row.ended_because !== null) return row.ended_because === 'erasure' ? 'removed' : row.ended_because
  if (row.file === null) return 'preparing'
  return isOver(readFileColumn(row.file), now) ? 'expired' : 'ready'
}

export function toHolding(row: HoldingRow, now: string): Holding {
  const file = row.file === null ? null : readFileColumn(row.file)
  return {
    id: row.id,
    jobId: row.job_id,
    status: statusOf(row, now),
    subject: { businessId: row.business_id, kind: row.value_kind, value: row.value },
    file:
      file === null
        ? null
        : {
            records: file.records,
            rows: file.rows,
            leftOut: file.leftOut,
            jsonBytes: file.json.bytes,
            jsonSha256: file.json.sha256,
            htmlBytes: file.html.bytes,
            htmlSha256: file.html.sha256,
            writtenAt: file.writtenAt,
            expiresAt: file.expiresAt,
          },
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
  }
}
