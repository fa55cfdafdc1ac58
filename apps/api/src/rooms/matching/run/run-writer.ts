import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { slicesOf } from '../../../lib/slices.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { ChangeStore } from '../../../store/change/change-store.ts'
import { advancePosition } from '../../../store/change/follow-audit.queries.ts'
import { wasErasedSince } from '../../businesses/businesses.thread.ts'
import type { Effect } from '../../jobs/jobs.thread.ts'
import { draftsIn, type SuggestionDraft } from '../rules/findings.rules.ts'
import { addKeys, addRecords, saveRecord } from '../suggestions/match-keys.queries.ts'
import { followerName, saveDerived } from '../suggestions/save-derived.ts'
import { type Kept, saveFrequencies, saveSuggestions, supersede } from '../suggestions/save-suggestions.ts'
import { selectStillOpen } from '../suggestions/suggestions.queries.ts'
import type { RunMessage } from './run-threads.ts'

/** The messages of the threads that have to be written, which are all except progress. */
export type RunWrite = Exclude<RunMessage, { type: 'progress' }>

/**
 * The result of a write. `at`: the last pair written, after which a later attempt resumes. `result`: the result of the run, present once everything
 * is written.
 */
export type Dealt = { at?: Pair; result?: JsonObject }
type Pair = Pick<SuggestionDraft, 'a' | 'b'>

export type RunWriter = {
  /** Writes these messages. Resolves when they are durable. Only one call at a time. */
  deal(messages: readonly RunWrite[]): Promise<Dealt>
  close(): Promise<void>
}

/** `startedAt`: a time before the first read of the run, to detect later changes. `isWanted`: returns true while another writer waits for the store. */
type Options = {
  store: Pick<ChangeStore, 'write'>
  tenantId: string
  startedAt: string
  isWanted: () => boolean
}

/** Number of drafts per part. Another writer waits one or two milliseconds for a part. */
const DRAFTS_A_PART = 25
/** Maximum number of parts per transaction. The commit takes as long as the writes and blocks other writers. */
const PARTS_TOGETHER = 80

/** Results to write: drafts of suggestions, or ids of open suggestions that are no longer valid. */
type Found = readonly SuggestionDraft[] | Extract<RunWrite, { type: 'gone' }>
type Derived = Extract<RunWrite, { type: 'keys' | 'records' }>

/**
 * Creates the function that writes the results of a run. Decisions of people do not change. Records that changed since the run began are skipped; the
 * check that follows changes compares them again. Drafts that an interrupted attempt wrote equal the stored ones and are skipped. One transaction
 * contains several messages; it ends within milliseconds if another writer waits.
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

  /** Writes the first parts of a list, at least one, until another writer waits or the maximum is reached. Returns their number. */
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
      const id = await saveFrequencies(tx, { records, words: new Map(words) })
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
            addTo(kept, await saveSuggestions(tx, part, snapshotId, startedAt))
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
      await saveDerived(store, tenantId, async (db) => {
        from += await writeMost(messages.slice(from), async (message) => {
          if (message.type === 'keys') {
            await addKeys(db, { tenantId, keys: message.keys })
            return
          }
          await addRecords(db, tenantId, message.added)
          // Saves a row only if the stored facts are those that the run read, because a check since then has newer values.
          for (const { seen, ...row } of message.changed) await saveRecord(db, row, (facts) => facts === seen)
        })
      })
    }
  }

  const end = async ({ report, kept, sequence }: Extract<RunWrite, { type: 'done' }>): Promise<Dealt> => {
    // The position in the audit is saved only now. If a run does not finish, the follower continues at the older position and finds all later
    // changes.
    await saveDerived(store, tenantId, (db) => advancePosition(db, { tenantId, follower: followerName, sequence }))
    return { result: { ...report, suggestions: kept, ...total, snapshotId } }
  }

  /** Writes the messages in an order in which the row of a record follows all of its drafts. */
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

/** Throws if a record was erased since this time, because the counts can include its words. Errors: `unavailable`, which restarts the run. */
async function requireNoErasure(tx: Tx, since: string): Promise<void> {
  if (await wasErasedSince(tx, since))
    throw new AppError(
      'unavailable',
      'A record was erased while the words of names were counted. The run has to restart.',
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
