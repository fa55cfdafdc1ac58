import type { Tx } from '../../store/change/change.ts'
import { removeFiles } from './export-folder.ts'
import { emptySearches, emptyTags, type KeptFile, markRemoved, selectKept } from './exports.queries.ts'
import type { RemovalCause } from './exports.table.ts'

/**
 * Removes a file: it can no longer be downloaded and is deleted from disk after the commit; its metadata remains. Returns false and records nothing
 * if it was already removed.
 */
export async function removeFile(
  tx: Tx,
  dataDir: string,
  { tenant_id, export_id }: KeptFile,
  because: RemovalCause,
): Promise<boolean> {
  if (!(await markRemoved(tx.db, { tenant_id, export_id }, { at: tx.at, because }))) return false
  await tx.record({ action: 'export.remove', subject: { type: 'export', id: export_id }, after: { because } })
  tx.afterCommit(() => removeFiles(dataDir, export_id))
  return true
}

export type ErasedExports = { exports: number; searches: number; tags: string[] }

/**
 * Removes, for an erasure, every file of prospects of the tenant and every file of a report that lost its content. Also removes the search text of
 * all exports, which can be the erased text, and tags that no record has any more. Returns the number of files, and the exports that lost a tag.
 */
export async function eraseExports(tx: Tx, dataDir: string, reportIds: readonly string[]): Promise<ErasedExports> {
  const { db } = tx
  const { tenantId } = tx.actor
  const kept = await selectKept(db, tenantId)
  const files = kept.filter(
    ({ source, report_id: id }) => source === 'prospects' || (id !== null && reportIds.includes(id)),
  )
  for (const file of files) await removeFile(tx, dataDir, file, 'erasure')
  return { exports: files.length, searches: await emptySearches(db, tenantId), tags: await emptyTags(db, tenantId) }
}
