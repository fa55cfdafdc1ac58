import type { Tx } from '../../store/change/change.ts'
import { removeFiles } from './export-folder.ts'
import { emptySearches, emptyTags, type KeptFile, markRemoved, selectKept } from './exports.queries.ts'
import type { RemovalCause } from './exports.table.ts'

/**
 * Takes a file away: from now on nobody is handed it, and after the commit it is gone. What it was stays known. Answers false, and tells
 * nothing, where somebody else has taken it away since it was looked for.
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
 * For an erasure: every file of the tenant that holds prospects goes at once, whichever they are, and every file of a report that lost
 * what it was about; so does what was searched for in any export, which may be what was erased, and a tag that nobody carries any more.
 * Answers how many went, and which exports lost a tag.
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
