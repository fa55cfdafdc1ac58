import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change.ts'
import type { ChangeStore } from '../../../store/change-store.ts'
import { wasErasedSince } from '../../businesses/businesses.thread.ts'
import type { Effect } from '../../jobs/jobs.thread.ts'
import { draftsIn, type SuggestionDraft } from '../rules/findings.rules.ts'
import { keepDerived } from '../suggestions/keep-derived.ts'
import { type Kept, keepSnapshot, keepSuggestions, supersede } from '../suggestions/keep-suggestions.ts'
import { addKeys, addRecords, keepRecord } from '../suggestions/match-keys.queries.ts'
import { keepPosition } from '../suggestions/position.queries.ts'
import { selectStillOpen } from '../suggestions/suggestions.queries.ts'
import type { RunMessage } from './run-threads.ts'

/** What is to be written, in its order. */
export type RunWrite = Exclude<RunMessage, { type: 'progress' }>

/** `at`: the last pair that is written, where a later attempt goes on. `result`: that of the run, when everything is written. */
export type Dealt = { at?: Pair; result?: JsonObject }
type Pair = Pick<SuggestionDraft, 'a' | 'b'>

export type RunWriter = {
  /** Resolves when all of them are durable, with what came of them together. One call after the other. */
  deal(messages: readonly RunWrite[]): Promise<Dealt>
  close(): Promise<void>
}

/** `startedAt`: before anything was read. */
type Options = { store: Pick<ChangeStore, 'writer' | 'writes'>; tenantId: string; startedAt: string }

/**
 * Writes what a run found. What is decided stays decided, what was changed since it began is left to the check that follows changes, and
 * what a lost attempt has written since is compared with what is there and passed by.
 */
export function createRunWriter({
  store,
  tenantId,
  startedAt,
}: Options): (messages: readonly RunWrite[], effect: Effect) => Promise<Dealt> {
  const run = newId()
  const total: Kept = { created: 0, updated: 0, superseded: 0, passedBy: 0 }
  let snapshotId = ''
  let step = 0

  const dealOne = async (message: RunWrite, effect: Effect): Promise<Dealt> => {
    const write = <T>(work: (tx: Tx) => Promise<T | Unchanged<T>>): Promise<T> => {
      step += 1
      return effect(`${run} ${step}`, { action: 'matching.run' }, work)
    }
    switch (message.type) {
      case 'counted': {
        const { records, words } = message
        snapshotId = await write(async (tx) => {
          await requireNoErasure(tx, startedAt)
          const id = await keepSnapshot(tx, { records, words: new Map(words) })
          await tx.record({ subject: { type: 'match_snapshot', id }, after: { records } })
          return id
        })
        return {}
      }
      case 'drafts': {
        const drafts = draftsIn(message.drafts)
        const kept = await write(async (tx) => {
          const now = await keepSuggestions(tx, drafts, snapshotId, startedAt)
          if (now.created + now.updated + now.superseded === 0) return unchanged(now)
          await tx.record({ subject: { type: 'match_snapshot', id: snapshotId }, after: { ...now } })
          return now
        })
        addTo(total, kept)
        return placeOf(drafts)
      }
      case 'keys':
        await keepDerived(store, () => addKeys(store.writer, tenantId, message.keys))
        return {}
      case 'gone':
        total.superseded += await write(async (tx) => {
          const still = await selectStillOpen(tx.db, tenantId, message.ids, startedAt)
          if (still.length === 0) return unchanged(0)
          await supersede(tx, still)
          await tx.record({
            subject: { type: 'match_snapshot', id: snapshotId },
            after: { superseded: still.length },
          })
          return still.length
        })
        return {}
      case 'records':
        await keepDerived(store, async () => {
          await addRecords(store.writer, tenantId, message.added)
          // A check that came in between knows better.
          for (const { seen, ...row } of message.changed) await keepRecord(store.writer, row, (facts) => facts === seen)
        })
        return {}
      case 'done': {
        const { report, kept, sequence } = message
        // Only now: what a run that did not come to its end left is found by following the changes before it.
        await keepDerived(store, () => keepPosition(store.writer, tenantId, sequence))
        return { result: { ...report, suggestions: kept, ...total, snapshotId } }
      }
    }
  }

  return async (messages, effect) => {
    const dealt: Dealt = {}
    for (const message of messages) Object.assign(dealt, await dealOne(message, effect))
    return dealt
  }
}

/** Words of a record that was erased since are counted as well. Errors: `unavailable`, which has the run begin anew. */
async function requireNoErasure(tx: Tx, since: string): Promise<void> {
  if (await wasErasedSince(tx, since))
    throw new AppError(
      'unavailable',
      'A record was erased while the words of names were counted. The run has to begin anew.',
    )
}

function placeOf(drafts: readonly SuggestionDraft[]): Dealt {
  const last = drafts.at(-1)
  return last === undefined ? {} : { at: { a: last.a, b: last.b } }
}

function addTo(total: Kept, kept: Kept): void {
  total.created += kept.created
  total.updated += kept.updated
  total.superseded += kept.superseded
  total.passedBy += kept.passedBy
}
