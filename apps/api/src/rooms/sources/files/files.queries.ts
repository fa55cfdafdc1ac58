import { actorRef } from '../../../lib/actor.ts'
import type { Db } from '../../../store/database.ts'
import type { SourceFileTable } from '../sources.table.ts'
import type { SourceFile } from './files.schema.ts'

export async function insertSourceFile(db: Db, row: SourceFileTable): Promise<void> {
  await db.insertInto('source_files').values(row).execute()
}

export type FilesWanted = { tenantId: string; sha256?: string | undefined; id?: string }

/** Returns the query of the files of a tenant, or of the one with this hash or id. */
export function sourceFilesOf(db: Db, { tenantId, sha256, id }: FilesWanted) {
  return db
    .selectFrom('source_files as f')
    .leftJoin('users as owner', 'owner.id', 'f.owner_id')
    .leftJoin('users as creator', 'creator.id', 'f.created_by')
    .selectAll('f')
    .select(['owner.name as owner_name', 'creator.name as creator_name'])
    .where('f.tenant_id', '=', tenantId)
    .$if(sha256 !== undefined, (query) => query.where('f.sha256', '=', sha256 ?? ''))
    .$if(id !== undefined, (query) => query.where('f.id', '=', id ?? ''))
}

export type SourceFileRow = SourceFileTable & { owner_name: string | null; creator_name: string | null }

/** Returns files, newest first. */
export function selectSourceFiles(
  db: Db,
  { before, limit, ...wanted }: FilesWanted & { before: string | undefined; limit: number },
): Promise<SourceFileRow[]> {
  return sourceFilesOf(db, wanted)
    .$if(before !== undefined, (query) => query.where('f.id', '<', before ?? ''))
    .orderBy('f.id', 'desc')
    .limit(limit)
    .execute()
}

export function findSourceFile(db: Db, wanted: FilesWanted): Promise<SourceFileRow | undefined> {
  return sourceFilesOf(db, wanted).executeTakeFirst()
}

export function toSourceFile(row: SourceFileRow): SourceFile {
  return {
    id: row.id,
    sha256: row.sha256,
    name: row.name,
    label: row.label,
    owner: { id: row.owner_id, name: row.owner_name ?? '' },
    purpose: row.purpose,
    legalBasis: row.legal_basis,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
  }
}
