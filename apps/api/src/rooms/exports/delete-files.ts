import { existsSync } from 'node:fs'
import { sweep } from '../../store/change/sweep.ts'
import type { Store } from '../../store/store.ts'
import { forEachTenant, systemActor } from '../identity/identity.ts'
import type { Upkeep } from '../room.ts'
import { exportsWithFiles, filesOf, removeFiles } from './export-folder.ts'
import { exportJob } from './exports.jobs.ts'
import { isOver, type KeptFile, selectKept, selectUnderWay } from './exports.queries.ts'
import { removeFile } from './remove-files.ts'

/** Interval of both tasks. It can be long, because an expired file cannot be downloaded anyway. */
const EVERY_MS = 300_000

/** Deletes expired files, and marks as removed those that are missing on the disk. */
export const deleteExpiredFiles: Upkeep<{ store: Store }> = {
  name: 'delete expired export files',
  everyMs: EVERY_MS,
  limit: 100,
  forTenant: (context) => {
    const { dataDir } = context.store
    return sweep(context, {
      actor: systemActor('exports', context.tenantId),
      action: 'export.remove',
      due: async (db, { tenantId, now, limit }) => {
        const kept = await selectKept(db, tenantId)
        return kept.filter((file) => isOver(file, now) || isMissing(dataDir, file)).slice(0, limit)
      },
      apply: async (tx, files) => {
        for (const file of files) await removeFile(tx, dataDir, file, isOver(file, tx.at) ? 'expired' : 'missing')
      },
    })
  },
}

/** Deletes files that belong to no export of the store: those of a killed run, and those from before a restore. */
export const deleteStrayFiles: Upkeep<{ store: Store }> = {
  name: 'delete stray export files',
  everyMs: EVERY_MS,
  limit: 0,
  forStore: async ({ store }) => {
    const { reader, dataDir } = store
    // List the files first, so that files written meanwhile are not in the list.
    const found = exportsWithFiles(dataDir)
    const known = new Set<string>()
    await forEachTenant(store, async (tenantId) => {
      for (const id of await selectUnderWay(reader, tenantId, exportJob.kind)) known.add(id)
      for (const { export_id } of await selectKept(reader, tenantId)) known.add(export_id)
    })
    // If a query failed for a tenant, this line is not reached, because that tenant's files would count as unknown.
    for (const id of found) if (!known.has(id)) removeFiles(dataDir, id)
  },
}

function isMissing(dataDir: string, { export_id: id, format }: KeptFile): boolean {
  return !existsSync(filesOf(dataDir, { id, format }).content)
}
