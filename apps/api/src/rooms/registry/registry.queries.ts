import { sql, type Updateable } from 'kysely'
import { actorRef } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import { latestBeginning } from '../../lib/clock.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex } from '../../store/engine/dialect.ts'
import {
  type Round,
  readColumns,
  readConfirmationColumn,
  readFileColumn,
  readKinds,
  readOutcomeColumn,
  readResultColumn,
  readStates,
  type StoredFile,
} from './registry.schema.ts'
import type { RegistryRegistrationTable, RegistryRoundTable } from './registry.table.ts'

export type RoundRow = RegistryRoundTable & {
  creator_name: string | null
  uploader_name: string | null
  confirmer_name: string | null
}

export async function insertRound(db: Db, row: RegistryRoundTable): Promise<void> {
  await db.insertInto('registry_rounds').values(row).execute()
}

export async function updateRound(
  db: Db,
  { tenant_id, id }: Pick<RegistryRoundTable, 'tenant_id' | 'id'>,
  set: Updateable<RegistryRoundTable>,
): Promise<void> {
  await db.updateTable('registry_rounds').set(set).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

export function roundsOf(db: Db, tenantId: string) {
  return db
    .selectFrom('registry_rounds as r')
    .leftJoin('users as creator', 'creator.id', 'r.created_by')
    .leftJoin('users as uploader', 'uploader.id', 'r.result_by')
    .leftJoin('users as confirmer', 'confirmer.id', 'r.confirmed_by')
    .selectAll('r')
    .select(['creator.name as creator_name', 'uploader.name as uploader_name', 'confirmer.name as confirmer_name'])
    .where('r.tenant_id', '=', tenantId)
}

/** Errors: `not_found`. */
export function getRoundRow(db: Db, tenantId: string, id: string): Promise<RoundRow> {
  return roundsOf(db, tenantId).where('r.id', '=', id).executeTakeFirstOrThrow(notFound)
}

/** Newest first, because ids are ordered by time. */
export function selectRounds(
  db: Db,
  { tenantId, before, limit }: { tenantId: string; before: string | undefined; limit: number },
): Promise<RoundRow[]> {
  return roundsOf(db, tenantId)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findOpenRound(db: Db, tenantId: string): Promise<RegistryRoundTable | undefined> {
  return db
    .selectFrom(sql<RegistryRoundTable>`registry_rounds`.as<'r'>(sql`r ${alongIndex('registry_rounds_open')}`))
    .selectAll('r')
    .where('r.tenant_id', '=', tenantId)
    .where('r.closed_at', 'is', null)
    .where('r.cancelled_at', 'is', null)
    .executeTakeFirst()
}

/** Closed rounds, newest first; a workspace has few. */
export function selectClosedRounds(db: Db, tenantId: string, limit: number): Promise<RegistryRoundTable[]> {
  return db
    .selectFrom(sql<RegistryRoundTable>`registry_rounds`.as<'r'>(sql`r ${alongIndex('registry_rounds_closed')}`))
    .selectAll('r')
    .where('r.tenant_id', '=', tenantId)
    .where('r.closed_at', 'is not', null)
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

export type LastWholeRound = { tenantId: string; closed_at: string; begun_at: string }

/** Returns the last closed round of all pipeline states of each tenant, for the probe and the metrics. */
export async function selectLastWholeRounds(db: Db): Promise<LastWholeRound[]> {
  const { rows } = await sql<LastWholeRound>`
    SELECT r.tenant_id AS "tenantId", r.closed_at, r.begun_at FROM registry_rounds r
    WHERE r.closed_at IS NOT NULL AND r.begun_at IS NOT NULL AND r.states = '[]' AND NOT EXISTS (
      SELECT 1 FROM registry_rounds later WHERE later.tenant_id = r.tenant_id AND later.id > r.id
        AND later.closed_at IS NOT NULL AND later.states = '[]')`.execute(db)
  return rows
}

export function selectRegistrations(
  db: Db,
): Promise<Pick<RegistryRegistrationTable, 'tenant_id' | 'number' | 'valid_until'>[]> {
  return db.selectFrom('registry_registrations').select(['tenant_id', 'number', 'valid_until']).execute()
}

export function findRegistration(db: Db, tenantId: string): Promise<RegistryRegistrationTable | undefined> {
  return db.selectFrom('registry_registrations').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()
}

/** True if a file has expired, also if it is stamped in the future because the clock was set back. */
export function isOver({ writtenAt, expiresAt }: Pick<StoredFile, 'writtenAt' | 'expiresAt'>, now: string): boolean {
  return expiresAt <= now || writtenAt > latestBeginning(now)
}

export function fileStatus(file: StoredFile, now: string): 'ready' | 'expired' | 'removed' {
  if (isOver(file, now)) return 'expired'
  return file.removedAt === null ? 'ready' : 'removed'
}

export function fileName({ id }: Pick<RegistryRoundTable, 'id'>): string {
  return `registry-round-${id}.csv`
}

export function toRound(row: RoundRow, now: string): Round {
  const file = row.file === null ? null : readFileColumn(row.file)
  const result = row.result === null ? null : readResultColumn(row.result)
  const confirmation = row.confirmation === null ? null : readConfirmationColumn(row.confirmation)
  return {
    id: row.id,
    jobId: row.job_id,
    state: row.state,
    kinds: readKinds(row.kinds),
    form: row.form,
    states: readStates(row.states),
    columns: readColumns(row.columns),
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    counts: file === null ? null : { values: file.values, leftOut: file.leftOut },
    fileSha256: file?.sha256 ?? null,
    file:
      file === null
        ? null
        : {
            name: fileName(row),
            bytes: file.bytes,
            writtenAt: file.writtenAt,
            expiresAt: file.expiresAt,
            status: row.closed_at === null && row.cancelled_at === null ? fileStatus(file, now) : 'removed',
            manifest: { hash: row.salt === null ? 'none' : 'sha256(salt + value)', salt: row.salt },
          },
    result:
      result === null
        ? null
        : {
            jobId: result.jobId,
            bytes: result.bytes,
            sha256: result.sha256,
            phoneRegion: result.phoneRegion,
            receivedAt: result.receivedAt,
            receivedBy: actorRef(row.result_by ?? '', row.uploader_name),
            status: result.refusal !== null ? 'refused' : result.counts === null ? 'reading' : 'ready',
            refusal: result.refusal,
            counts: result.counts,
          },
    confirmation:
      confirmation === null ? null : { ...confirmation, by: actorRef(row.confirmed_by ?? '', row.confirmer_name) },
    outcome: row.outcome === null ? null : readOutcomeColumn(row.outcome),
    closedAt: row.closed_at,
    cancelledAt: row.cancelled_at,
    cancelledBecause: row.cancelled_because,
  }
}
