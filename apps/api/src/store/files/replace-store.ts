import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { enterAlone } from './presence.ts'
import { finishSwap, isSwapUnfinished, type Swap } from './swap-store.ts'

/**
 * Has the store alone while `work` makes another in the folder `staged` and lets the two change places with `swapStore`. `staged` begins with
 * `prefix`; what earlier ones of the same prefix left that were killed before their last step is swept away.
 * Errors: `unavailable` when somebody has the store and does not leave.
 */
export async function replaceStore<T>(
  dataDir: string,
  { prefix, clock }: { prefix: string; clock: Clock },
  work: (swap: Swap) => T,
): Promise<Awaited<T>> {
  const lock = enterAlone(dataDir)
  const stamp = clock().toISOString().slice(0, 23).replace(/[-:.]/g, '')
  const swap = { staged: `${prefix}${stamp}`, kept: `replaced-${stamp}` }
  try {
    if (isSwapUnfinished(dataDir)) finishSwap(dataDir)
    for (const name of readdirSync(dataDir).filter((one) => one.startsWith(prefix)))
      rmSync(join(dataDir, name), { recursive: true })
    return await work(swap)
  } finally {
    // A swap that failed half-way still needs it: whoever opens the store next finishes it.
    if (!isSwapUnfinished(dataDir)) rmSync(join(dataDir, swap.staged), { recursive: true, force: true })
    lock.release()
  }
}
