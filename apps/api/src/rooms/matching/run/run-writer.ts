import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { slicesOf } from '../../../lib/slices.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { ChangeStore } from '../../../store/change/change-store.ts'
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

/** `startedAt`: before anything was read. `isWanted`: whether somebody else waits to write. */
type Options = {
  store: Pick<ChangeStore, 'write'>
  tenantId: string
  startedAt: string
  isWanted: () => boolean
}

/** So few that somebody else who comes to want to write waits for a millisecond or two until they are written. */
const DRAFTS_A_PART = 25
/** Parts of one transaction at most: making it durable takes as long again, and then nobody can write. */
const PARTS_TOGETHER = 80

/** Pairs that are suggested, or suggestions that hold no longer. */
type Found = readonly SuggestionDraft[] | Extract<RunWrite, { type: 'gone' }>
type Derived = Extract<RunWrite, { type: 'keys' | 'records' }>

/**
 * Writes what a run found. What is decided stays decided, what was changed since it began is left to the check that follows changes, and
 * what a lost attempt has written since is compared with what is there and passed by. What came together is written in one transaction,
 * unless somebody else wants to write: then that ends within some milliseconds.
 */
export function createRunWriter({
  store,
  tenantId,
  startedAt,
  isWanted,
}: Options): (messages: readonly RunWrite[], effect: Effect) => Promise<Dealt> {
  const run = newId()
  const total = noneKept()
  let snapshotId = ''
  let step = 0

  const inEffect = <T>(effect: Effect, work: (tx: Tx) => Promise<T | Unchanged<T>>): Promise<T> => {
    step += 1
    return effect(`${run} ${step}`, { action: 'matching.run' }, work)
  }

  /** Answers how many were written, one at least. */
  const writeMost = async <P>(parts: readonly P[], write: (part: P) => Promise<void>): Promise<number> => {
    let written = 0
    for (const part of parts) {
      if (written > 0 && (written === PARTS_TOGETHER || isWanted())) break
      await write(part)
      written += 1
    }
    return written
  }

  const keepCounted = async ({ records, words }: Extract<RunWrite, { type: 'counted' }>, effect: Effect) => {
    snapshotId = await inEffect(effect, async (tx) => {
      await requireNoErasure(tx, startedAt)
      const id = await keepSnapshot(tx, { records, words: new Map(words) })
      await tx.record({ subject: { type: 'match_snapshot', id }, after: { records } })
      return id
    })
  }

  const keepFound = async (found: readonly Found[], effect: Effect): Promise<Dealt> => {
    const dealt: Dealt = {}
    for (let from = 0; from < found.length; ) {
      const { written, kept, ...place } = await inEffect(effect, async (tx) => {
        const kept = noneKept()
        const place: Dealt = {}
        const written = await writeMost(found.slice(from), async (part) => {
          if ('ids' in part) kept.superseded += await endGone(tx, part.ids)
          else {
            addTo(kept, await keepSuggestions(tx, part, snapshotId, startedAt))
            Object.assign(place, placeOf(part))
          }
        })
        const result = { written, kept, ...place }
        if (kept.created + kept.updated + kept.superseded === 0) return unchanged(result)
        await tx.record({ subject: { type: 'match_snapshot', id: snapshotId }, after: { ...kept } })
        return result
      })
      addTo(total, kept)
      Object.assign(dealt, place)
      from += written
    }
    return dealt
  }

  const endGone = async (tx: Tx, ids: readonly string[]): Promise<number> => {
    const still = await selectStillOpen(tx.db, tenantId, ids, startedAt)
    await supersede(tx, still)
    return still.length
  }

  const keepAllDerived = async (messages: readonly Derived[]): Promise<void> => {
    for (let from = 0; from < messages.length; ) {
      await keepDerived(store, tenantId, async (db) => {
        from += await writeMost(messages.slice(from), async (message) => {
          if (message.type === 'keys') return addKeys(db, tenantId, message.keys)
          await addRecords(db, tenantId, message.added)
          // A check that came in between knows better.
          for (const { seen, ...row } of message.changed) await keepRecord(db, row, (facts) => facts === seen)
        })
      })
    }
  }

  const end = async ({ report, kept, sequence }: Extract<RunWrite, { type: 'done' }>): Promise<Dealt> => {
    // Only now: what a run that did not come to its end left is found by following the changes before it.
    await keepDerived(store, tenantId, (db) => keepPosition(db, tenantId, sequence))
    return { result: { ...report, suggestions: kept, ...total, snapshotId } }
  }

  /** Records behind everything that was found of them. */
  return async (messages, effect) => {
    const all = <Type extends RunWrite['type']>(...types: Type[]) =>
      messages.filter((message): message is Extract<RunWrite, { type: Type }> =>
        (types as string[]).includes(message.type),
      )
    for (const counted of all('counted')) await keepCounted(counted, effect)
    await keepAllDerived(all('keys'))
    const dealt = await keepFound(all('drafts', 'gone').flatMap(partsOf), effect)
    await keepAllDerived(all('records'))
    for (const done of all('done')) Object.assign(dealt, await end(done))
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

function partsOf(message: Extract<RunWrite, { type: 'drafts' | 'gone' }>): Found[] {
  return message.type === 'gone' ? [message] : [...slicesOf(draftsIn(message.drafts), DRAFTS_A_PART)]
}

function placeOf(drafts: readonly SuggestionDraft[]): Dealt {
  const last = drafts.at(-1)
  return last === undefined ? {} : { at: { a: last.a, b: last.b } }
}

function noneKept(): Kept {
  return { created: 0, updated: 0, superseded: 0, passedBy: 0 }
}

function addTo(total: Kept, kept: Kept): void {
  total.created += kept.created
  total.updated += kept.updated
  total.superseded += kept.superseded
  total.passedBy += kept.passedBy
}
