import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../../lib/app-error.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { type Tx, unchanged } from '../../../store/change.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { wasErasedSince } from '../../businesses/businesses.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { keepDerived } from '../suggestions/check-business.ts'
import { type Kept, keepSnapshot, keepSuggestions, STRETCH_MS, supersede } from '../suggestions/keep-suggestions.ts'
import { addKeys, addRecords, keepPosition, keepRecord, selectStillOpen } from '../suggestions/suggestions.queries.ts'
import { startThreads } from './run-threads.ts'

/** What a lost attempt has written since is compared with what is there and passed by. */
const CHECKPOINT_EVERY_MS = 1_000

/** Of each thread; the one that compares holds every record in some 0.7 kB. Past it the thread ends, not the process. */
const MOST_HEAP_MB = 2_000

/** What a run needs of a job; a benchmark brings its own. */
export type RunContext = Pick<
  JobContext,
  'store' | 'tenantId' | 'signal' | 'resume' | 'progress' | 'checkpoint' | 'effect'
>

/**
 * Compares all active businesses of a tenant in threads of its own and keeps what follows, a little at a time. Stops where it is asked
 * to; a later attempt reads and compares anew (seconds) and goes on writing where this one was. What is decided stays decided, what
 * was changed while it ran is left to the check that follows changes.
 */
export async function runMatching(context: RunContext, mostHeapMb = MOST_HEAP_MB): Promise<JsonObject> {
  const { store, tenantId, signal, progress } = context
  const startedAt = store.clock().toISOString()
  const run = newId()
  const total: Kept = { created: 0, updated: 0, superseded: 0, passedBy: 0 }
  let snapshotId = ''
  let step = 0
  let checkpointAt = Number.NEGATIVE_INFINITY
  // The commit that follows each is a stretch of its own, as long as the writing was.
  const effect = <T>(work: (tx: Tx) => Promise<T | ReturnType<typeof unchanged<T>>>) => {
    step += 1
    return context.effect(`${run} ${step}`, { action: 'matching.run' }, async (tx) => {
      const done = await work(tx)
      await nextTurn()
      return done
    })
  }
  const derive = (work: () => Promise<void>) =>
    keepDerived(store, async () => {
      await work()
      await nextTurn()
    })
  const threads = startThreads(
    { file: join(store.dataDir, STORE_FILE), tenantId, after: afterOf(context.resume) },
    signal,
    mostHeapMb,
  )
  let result: JsonObject = {}
  for await (const message of threads.messages()) {
    switch (message.type) {
      case 'progress':
        progress(message)
        continue
      case 'counted': {
        const { records, words } = message
        snapshotId = await effect(async (tx) => {
          await requireNoErasure(tx, startedAt)
          const id = await keepSnapshot(tx, { records, words: new Map(words) })
          await tx.record({ subject: { type: 'match_snapshot', id }, after: { records } })
          return id
        })
        break
      }
      case 'drafts': {
        const { drafts } = message
        const kept = await effect(async (tx) => {
          const now = await keepSuggestions(tx, drafts, snapshotId, startedAt)
          if (now.created + now.updated === 0) return unchanged(now)
          await tx.record({ subject: { type: 'match_snapshot', id: snapshotId }, after: { ...now } })
          return now
        })
        addTo(total, kept)
        if (performance.now() - checkpointAt < CHECKPOINT_EVERY_MS) break
        await context.checkpoint(lastOf(drafts))
        checkpointAt = performance.now()
        break
      }
      case 'keys':
        await derive(() => addKeys(store.writer, tenantId, message.keys))
        break
      case 'gone':
        total.superseded += await effect(async (tx) => {
          const still = await selectStillOpen(tx.db, tenantId, message.ids, startedAt)
          if (still.length === 0) return unchanged(0)
          await supersede(tx, still)
          await tx.record({
            subject: { type: 'match_snapshot', id: snapshotId },
            after: { superseded: still.length },
          })
          return still.length
        })
        break
      case 'records':
        await derive(async () => {
          const breathe = createBreather(STRETCH_MS)
          await addRecords(store.writer, tenantId, message.added)
          // A check that came in between knows better.
          for (const { seen, ...row } of message.changed) {
            await keepRecord(store.writer, row, (facts) => facts === seen)
            await breathe()
          }
        })
        break
      case 'done': {
        const { report, kept, sequence } = message
        // Only now: what a run that did not come to its end left is found by following the changes before it.
        await derive(() => keepPosition(store.writer, tenantId, sequence))
        result = { ...report, suggestions: kept, ...total, snapshotId }
        break
      }
    }
    threads.dealtWith()
  }
  return result
}

/** Words of a record that was erased since are counted as well. Errors: `unavailable`, which has the run begin anew. */
async function requireNoErasure(tx: Tx, since: string): Promise<void> {
  if (await wasErasedSince(tx, since))
    throw new AppError('unavailable', 'A record was erased while the words of names were counted. It begins anew.')
}

function afterOf(resume: JsonObject | null): readonly [string, string] | null {
  return typeof resume?.a === 'string' && typeof resume.b === 'string' ? [resume.a, resume.b] : null
}

function lastOf(drafts: readonly { a: string; b: string }[]): JsonObject {
  const last = drafts.at(-1)
  return last === undefined ? {} : { a: last.a, b: last.b }
}

function addTo(total: Kept, kept: Kept): void {
  total.created += kept.created
  total.updated += kept.updated
  total.passedBy += kept.passedBy
}
