import type { Tx } from '../../store/change/change.ts'
import { sweep } from '../../store/change/sweep.ts'
import { idsWithFiles } from '../../store/files/named-files.ts'
import type { Store } from '../../store/store.ts'
import { forEachTenant, systemActor } from '../identity/identity.ts'
import type { Upkeep } from '../room.ts'
import { holdingsFolder, removeHoldingFiles } from './holding-files.ts'
import { isOver, selectOpen, updateHolding } from './holdings.queries.ts'
import { readFileColumn } from './holdings.schema.ts'
import type { HoldingTable } from './holdings.table.ts'

/** Interval of both tasks. It can be long, because an expired file cannot be downloaded anyway. */
const EVERY_MS = 300_000

/** Deletes expired files, and with each of them the value that it was about. */
export const deleteExpiredHoldings: Upkeep<{ store: Store }> = {
  name: 'delete expired files of everything held',
  everyMs: EVERY_MS,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('holdings', context.tenantId),
      action: 'holding.remove',
      due: async (db, { tenantId, now, limit }) =>
        (await selectOpen(db, tenantId))
          .filter(({ file }) => file !== null && isOver(readFileColumn(file), now))
          .slice(0, limit),
      apply: async (tx, rows) => {
        for (const row of rows) await removeFile(tx, context.store.dataDir, row, 'expired')
      },
    }),
}

async function removeFile(tx: Tx, dataDir: string, row: HoldingTable, because: 'expired' | 'erasure'): Promise<void> {
  const ended = { value: null, value_normalized: null, ended_at: tx.at, ended_because: because }
  await updateHolding(tx.db, row, ended)
  await tx.record({ action: 'holding.remove', subject: { type: 'holding', id: row.id }, after: { because } })
  tx.afterCommit(() => removeHoldingFiles(dataDir, row.id))
}

/** Deletes files that belong to no open collection: those of a killed run, and those from before a restore. */
export const deleteStrayHoldings: Upkeep<{ store: Store }> = {
  name: 'delete stray files of everything held',
  everyMs: EVERY_MS,
  limit: 0,
  forStore: async ({ store }) => {
    // List the files first, so that files written meanwhile are not in the list.
    const found = idsWithFiles(holdingsFolder(store.dataDir))
    const open = new Set<string>()
    await forEachTenant(store, async (tenantId) => {
      for (const { id } of await selectOpen(store.reader, tenantId)) open.add(id)
    })
    for (const id of found) if (!open.has(id)) removeHoldingFiles(store.dataDir, id)
  },
}

/**
 * Ends, for an erasure, all collections of the tenant, because each can contain the erased values. A job that still writes one stores nothing. Returns
 * the number of collections.
 */
export async function eraseHoldings(tx: Tx, dataDir: string): Promise<number> {
  const open = await selectOpen(tx.db, tx.actor.tenantId)
  for (const row of open) await removeFile(tx, dataDir, row, 'erasure')
  return open.length
}
