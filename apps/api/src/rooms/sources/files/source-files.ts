import { type Cursors, newestFirst, type Page } from '../../../http/pagination.ts'
import { actorKey } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom, rowQuota } from '../../../store/change/quota.ts'
import type { Store } from '../../../store/store.ts'
import { isMember } from '../../identity/identity.ts'
import { findSourceFile, insertSourceFile, selectSourceFiles, sourceFilesOf, toSourceFile } from './files.queries.ts'
import { type AddSourceFile, fileLimits, type SourceFile, type sourceFileQuery } from './files.schema.ts'

/*
 * A file as a source: its name, hash, owner, purpose and legal basis, recorded once. The observations of the prospects that are made from the file
 * have its label as their source label, so that the filter by source finds them. No row of the file is stored (Global rule 4).
 */

/** Files are never deleted, because observations name them. */
export const sourceFileQuota = rowQuota({
  name: 'source_files',
  table: 'source_files',
  label: 'files that are recorded as sources',
  remedy: 'Stored files cannot be deleted, because observations name them. Combine lists into one file.',
  max: fileLimits.files,
})

/** Records a file as a source. Errors: `source_file_exists`, `file_owner_not_a_member`, `limit_reached`. */
export async function addSourceFile(tx: Tx, input: AddSourceFile): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { sha256, name, label, ownerId, purpose, legalBasis } = input
  if ((await findSourceFile(tx.db, { tenantId, sha256 })) !== undefined)
    throw new AppError('source_file_exists', 'This file is already stored as a source.')
  if (!(await isMember(tx.db, tenantId, ownerId))) {
    const message = 'The owner must be an active member of this workspace.'
    throw new AppError('file_owner_not_a_member', message, {
      errors: [{ path: 'ownerId', code: 'file_owner_not_a_member', message }],
    })
  }
  await requireRoom(tx, sourceFileQuota)
  const id = newId()
  await insertSourceFile(tx.db, {
    tenant_id: tenantId,
    id,
    sha256,
    name,
    label,
    owner_id: ownerId,
    purpose,
    legal_basis: legalBasis,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  await tx.record({ subject: { type: 'source_file', id }, after: input })
  return { id }
}

/** Errors: `not_found`. */
export async function getSourceFile(db: Store['reader'], tenantId: string, id: string): Promise<SourceFile> {
  const row = await findSourceFile(db, { tenantId, id })
  if (row === undefined) throw notFound()
  return toSourceFile(row)
}

/** Lists the files of a tenant, newest first, or the one with a hash. */
export function listSourceFiles(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  { sha256, ...query }: (typeof sourceFileQuery)['_output'],
): Promise<Page<SourceFile>> {
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['source-files', tenantId, sha256 ?? ''],
    query,
    fetch: (before, limit) => selectSourceFiles(store.reader, { tenantId, sha256, before, limit }),
    count: (db) => sourceFilesOf(db, { tenantId, sha256 }),
    toItem: toSourceFile,
  })
}
