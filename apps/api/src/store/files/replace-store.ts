import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { enterAlone } from './presence.ts'
import { finishSwap, isSwapUnfinished, type Swap } from './swap-store.ts'

/**
 * Takes exclusive use of the store and calls `work`. `work` creates another store in the folder `staged` and exchanges both with `swapStore`. The
 * name of `staged` begins with `prefix`; folders that killed runs left with this prefix are deleted. Errors: `unavailable` if another process has the
 * store open and does not release it.
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
    // The folder is not deleted after an interrupted swap, because the next process that opens the store needs it to finish the swap.
    if (!isSwapUnfinished(dataDir)) rmSync(join(dataDir, swap.staged), { recursive: true, force: true })
    lock.release()
  }
}
