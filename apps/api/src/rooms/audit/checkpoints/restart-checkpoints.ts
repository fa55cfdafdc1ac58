import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Actor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { checkpointFile } from './checkpoint-file.ts'
import { createCheckpointer } from './checkpointer.ts'
import { forgetCheckpoint } from './recorded-checkpoints.queries.ts'
import { takeSignerLock } from './signer-lock.ts'

/**
 * Starts a new checkpoint file after the old one was lost or its key was replaced. Renames the old file, records an event with the reason in every
 * tenant's chain, and signs each chain. Returns the path of the renamed file; undefined if there was none. `actors`: one for each tenant. Errors:
 * `conflict` while a server runs.
 */
export async function restartCheckpoints(
  store: Store,
  logger: Pick<Logger, 'warn'>,
  { actors, reason }: { actors: readonly Actor[]; reason: string },
): Promise<string | undefined> {
  const lock = takeSignerLock(store.dataDir)
  if (lock === undefined) throw new AppError('conflict', 'The API signs checkpoints here. Stop it, then try again.')
  try {
    const kept = moveAside(store)
    for (const actor of actors) {
      const subject = { type: 'tenant', id: actor.tenantId } as const
      await change(store, actor, { permission: null, action: 'audit.restart_checkpoints' }, async (tx) => {
        await tx.record({ subject, before: { recordedTo: await forgetCheckpoint(tx) }, reason })
      })
    }
    await createCheckpointer(store, logger).signWhatIsNew()
    return kept
  } finally {
    lock.release()
  }
}

function moveAside(store: Store): string | undefined {
  const file = checkpointFile(store.dataDir)
  if (!existsSync(file)) return undefined
  const stamp = store.clock().toISOString().slice(0, 23).replace(/[-:.]/g, '')
  const kept = join(store.dataDir, `audit-checkpoints-until-${stamp}.jsonl`)
  renameSync(file, kept)
  return kept
}
