import type { Tx } from '../../store/change.ts'
import { removeFiles } from './export-folder.ts'
import { emptySearches, type KeptFile, markRemoved, selectKept } from './exports.queries.ts'
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

/**
 * For an erasure: every file of the tenant that holds prospects goes at once, whichever they are, and so does what was searched for in any
 * export, which may be what was erased. Answers how many went.
 */
export async function eraseExports(tx: Tx, dataDir: string): Promise<{ exports: number; searches: number }> {
  const files = (await selectKept(tx.db, tx.actor.tenantId)).filter(({ source }) => source === 'prospects')
  for (const file of files) await removeFile(tx, dataDir, file, 'erasure')
  return { exports: files.length, searches: await emptySearches(tx.db, tx.actor.tenantId) }
}
