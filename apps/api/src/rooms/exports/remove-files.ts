import type { Tx } from '../../store/change.ts'
import { removeFiles } from './export-folder.ts'
import { type KeptFile, markRemoved } from './exports.queries.ts'
import type { RemovalCause } from './exports.table.ts'

/** Takes a file away: from now on nobody is handed it, and behind the commit it is gone. What it was stays known. */
export async function removeFile(
  tx: Tx,
  dataDir: string,
  { tenant_id, export_id }: KeptFile,
  because: RemovalCause,
): Promise<void> {
  await markRemoved(tx.db, { tenant_id, export_id }, { at: tx.at, because })
  await tx.record({ action: 'export.remove', subject: { type: 'export', id: export_id }, after: { because } })
  tx.afterCommit(() => removeFiles(dataDir, export_id))
}
