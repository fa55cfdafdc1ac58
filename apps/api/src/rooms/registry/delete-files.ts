import { rmSync } from 'node:fs'
import type { Tx } from '../../store/change/change.ts'
import { sweep } from '../../store/change/sweep.ts'
import { idsWithFiles } from '../../store/files/named-files.ts'
import type { Store } from '../../store/store.ts'
import { forEachTenant, systemActor } from '../identity/identity.ts'
import type { Upkeep } from '../room.ts'
import { findOpenRound, isOver, updateRound } from './registry.queries.ts'
import { readFileColumn, readResultColumn, type StoredFile } from './registry.schema.ts'
import type { RegistryRoundTable } from './registry.table.ts'
import { filesOf, registryFolder, removeRoundFiles } from './registry-files.ts'

/** Interval of both tasks. It can be long, because an expired file cannot be downloaded anyway. */
const EVERY_MS = 300_000

/** Deletes the expired file of an open round. The round still accepts its result. */
export const deleteExpiredRegistryFiles: Upkeep<{ store: Store }> = {
  name: 'delete expired registry files',
  everyMs: EVERY_MS,
  limit: 1,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('registry', context.tenantId),
      action: 'registry_round.remove_file',
      due: async (db, { tenantId, now }) => {
        const open = await findOpenRound(db, tenantId)
        const file = storedFileOf(open)
        return open !== undefined && file !== undefined && isOver(file, now) ? [open] : []
      },
      apply: async (tx, rounds) => {
        for (const round of rounds) await removeFile(tx, context.store.dataDir, round, 'expired')
      },
    }),
}

function storedFileOf(round: RegistryRoundTable | undefined): StoredFile | undefined {
  if (round === undefined || round.file === null) return undefined
  const file = readFileColumn(round.file)
  return file.removedAt === null ? file : undefined
}

async function removeFile(
  tx: Tx,
  dataDir: string,
  round: RegistryRoundTable,
  because: 'expired' | 'erasure',
): Promise<void> {
  const file = storedFileOf(round)
  if (file === undefined) return
  await updateRound(tx.db, round, { file: JSON.stringify({ ...file, removedAt: tx.at }) })
  await tx.record({
    action: 'registry_round.remove_file',
    subject: { type: 'registry_round', id: round.id },
    after: { because },
  })
  const { content, values } = filesOf(dataDir, round.id)
  tx.afterCommit(() => {
    rmSync(content, { force: true })
    rmSync(values, { force: true })
  })
}

/** Deletes files of rounds that are not open: those of a killed process, and those from before a restore. */
export const deleteStrayRegistryFiles: Upkeep<{ store: Store }> = {
  name: 'delete stray registry files',
  everyMs: EVERY_MS,
  limit: 0,
  forStore: async ({ store }) => {
    // List the files first, so that files written meanwhile are not in the list.
    const found = idsWithFiles(registryFolder(store.dataDir))
    const open = new Set<string>()
    await forEachTenant(store, async (tenantId) => {
      const round = await findOpenRound(store.reader, tenantId)
      if (round !== undefined) open.add(round.id)
    })
    for (const id of found) if (!open.has(id)) removeRoundFiles(store.dataDir, id)
  },
}

/**
 * Deletes, for an erasure, all files of the open round, which can contain the erased values. A result has to be uploaded again; a confirmed run stops
 * at its next part. Returns the number of rounds.
 */
export async function eraseRounds(tx: Tx, dataDir: string): Promise<number> {
  const open = await findOpenRound(tx.db, tx.actor.tenantId)
  if (open === undefined || open.state === 'preparing') return 0
  await removeFile(tx, dataDir, open, 'erasure')
  if (open.state === 'awaiting_result' && open.result !== null) {
    const result = {
      ...readResultColumn(open.result),
      counts: null,
      hitsSha256: null,
      refusal: 'A prospect was erased, and this result was deleted with it. Upload it again.',
    }
    await updateRound(tx.db, open, { result: JSON.stringify(result) })
    await tx.record({
      action: 'registry_round.read',
      subject: { type: 'registry_round', id: open.id },
      after: { refusal: result.refusal },
    })
  }
  tx.afterCommit(() => removeRoundFiles(dataDir, open.id))
  return 1
}
