import type { Tx } from '../../store/change/change.ts'
import { removeFiles } from './export-folder.ts'
import { type EmptiedExports, emptyTexts, type KeptFile, markRemoved, selectKept } from './exports.queries.ts'
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

export type ErasedExports = EmptiedExports & { exports: number }

/**
 * Removes, for an erasure, every file of prospects and of the audit of the tenant and every file of a report that lost its content. Also empties
 * erased texts in the conditions of all exports. Returns the number of files, and the exports that lost a text.
 */
export async function eraseExports(
  tx: Tx,
  businessIds: readonly string[],
  { dataDir, emptiedRequests: reportIds }: { dataDir: string; emptiedRequests: readonly string[] },
): Promise<ErasedExports> {
  const kept = await selectKept(tx.db, tx.actor.tenantId)
  const files = kept.filter(
    ({ source, report_id: id }) => source !== 'report' || (id !== null && reportIds.includes(id)),
  )
  for (const file of files) await removeFile(tx, dataDir, file, 'erasure')
  return { exports: files.length, ...(await emptyTexts(tx, businessIds)) }
}
