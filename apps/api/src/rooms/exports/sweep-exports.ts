import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Loop } from '../../lib/every.ts'
import { newId } from '../../lib/ids.ts'
import { change, unchanged } from '../../store/change/change.ts'
import { everyInOneProcess } from '../../store/change/leases.ts'
import type { Store } from '../../store/store.ts'
import { forEachTenant, systemActor } from '../identity/identity.ts'
import { exportsWithFiles, filesOf, removeFiles } from './export-folder.ts'
import { exportJob } from './exports.jobs.ts'
import { isOver, selectKept, selectUnderWay } from './exports.queries.ts'
import { removeFile } from './remove-files.ts'

/** Interval between sweeps. It can be long, because an expired file cannot be downloaded anyway. */
const EVERY_MS = 300_000

/**
 * Starts the loop that deletes expired files, and files that belong to no export of the store: those of a killed run, and those from before a
 * restore. Runs at the start before any job, and then every few minutes.
 */
export async function startExportSweep(store: Store, log: Pick<Logger, 'error'>): Promise<Loop> {
  const loop = everyInOneProcess(store, {
    name: 'export sweep',
    ms: EVERY_MS,
    work: () => sweepExports(store),
    log,
    failed: 'the sweep of export files failed',
  })
  await loop.started
  return loop
}

export async function sweepExports(store: Store): Promise<void> {
  const { reader, dataDir } = store
  // List the files first, so that files written during the sweep are not in the list.
  const found = exportsWithFiles(dataDir)
  const known = new Set<string>()
  await forEachTenant(store, async (tenantId) => {
    for (const id of await selectUnderWay(reader, tenantId, exportJob.kind)) known.add(id)
    const kept = await selectKept(reader, tenantId)
    for (const { export_id } of kept) known.add(export_id)
    const now = store.clock().toISOString()
    const over = kept.filter((file) => isOver(file, now))
    const missing = kept.filter((file) => !over.includes(file) && !existsSync(contentOf(dataDir, file)))
    if (over.length + missing.length === 0) return
    const actor = systemActor('exports', tenantId, newId())
    await change(store, actor, { permission: null, action: 'export.remove' }, async (tx) => {
      let removed = 0
      for (const file of over) if (await removeFile(tx, dataDir, file, 'expired')) removed += 1
      for (const file of missing) if (await removeFile(tx, dataDir, file, 'missing')) removed += 1
      return removed === 0 ? unchanged(null) : null
    })
  })
  // If a query failed for a tenant, this line is not reached, because that tenant's files would count as unknown.
  for (const id of found) if (!known.has(id)) removeFiles(dataDir, id)
}

function contentOf(dataDir: string, { export_id: id, format }: { export_id: string; format: 'csv' | 'jsonl' }): string {
  return filesOf(dataDir, { id, format }).content
}
