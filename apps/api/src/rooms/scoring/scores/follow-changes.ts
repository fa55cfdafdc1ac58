import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { slicesOf } from '../../../lib/slices.ts'
import { followStore } from '../../../store/change/follow-store.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Store } from '../../../store/store.ts'
import { contentOf, getVersionRow } from '../rule-sets/rule-sets.queries.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import { compile } from '../rules/evaluate.rules.ts'
import { type ActiveGeneration, advancePosition, selectActiveGenerations, setPaused } from '../runs/runs.queries.ts'
import { selectChangesAfter, selectDue, selectEventsAfter, withSurvivors } from './changed-records.queries.ts'
import { recordsOf } from './named-records.ts'
import { type Rescorer, rescore } from './rescore.ts'

/** Interval at which expiring scores are looked up while nothing else is written. */
const LOOK_FOR_DUE_EVERY_MS = 5_000
/** Maximum number of events, changes and deadlines that are processed before the position is stored. */
const FOLLOWED_AT_ONCE = 200
/** Records per commit. 25 records occupy the event loop for some milliseconds. */
const RECORDS_AT_ONCE = 25
/** Pause after each commit, as a multiple of its duration, so that requests are served in between. */
const REST = 1

/**
 * Starts the loop that re-scores changed records by the active version within two seconds. The audit names most changed records, as for matching
 * (docs/decisions/matching-follows-the-audit.md); `score_changes` names the others. The position is stored with the generation, so a crash loses no
 * change.
 */
export function startFollowing(store: Store, log: Pick<Logger, 'error'>): Loop {
  return followStore(store, {
    name: 'scoring follower',
    alsoEveryMs: LOOK_FOR_DUE_EVERY_MS,
    work: (isStopped) => followScores(store, isStopped),
    log,
    failed: 'scoring changed records failed',
  })
}

/** Re-scores the records that have changed since the stored position, for every tenant with active scores. */
export async function followScores(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  for (const active of await selectActiveGenerations(store.reader)) {
    if (isStopped()) return
    await followTenant(store, active, isStopped)
  }
}

async function followTenant(store: Store, active: ActiveGeneration, isStopped: () => boolean): Promise<void> {
  const isPaused = active.algorithm_version !== ALGORITHM_VERSION
  if (isPaused !== active.isPaused)
    await writeDerived(store, active.tenantId, (db) => setPaused(db, active.number, isPaused))
  if (isPaused) return
  const { tenantId } = active
  const version = await getVersionRow(store.reader, {
    tenantId,
    ruleSetId: active.rule_set_id,
    number: active.rule_version,
  })
  const content = contentOf(version)
  const rescorer: Rescorer = { active, content, evaluator: compile(content) }
  let position = { sequence: active.sequence, changeNumber: active.change_number }
  while (!isStopped()) {
    const events = await selectEventsAfter(store.reader, tenantId, position.sequence, FOLLOWED_AT_ONCE)
    const changes = await selectChangesAfter(store.reader, tenantId, position.changeNumber, FOLLOWED_AT_ONCE)
    const named = await recordsOf({ db: store.reader, background: store.backgroundOf(tenantId) }, tenantId, events)
    const changed = new Set([...named, ...changes.map(({ business_id }) => business_id)])
    const ids = await withSurvivors(store.reader, tenantId, [...changed])
    if (!(await rescoreAll(store, rescorer, ids, 'record_changed', isStopped))) return
    const reached = {
      sequence: events.at(-1)?.sequence ?? position.sequence,
      changeNumber: changes.at(-1)?.number ?? position.changeNumber,
    }
    // If a page contains only events without records, its position is stored only when the page is full. A sign-in therefore causes no write.
    if (ids.length > 0 || changes.length > 0 || events.length === FOLLOWED_AT_ONCE)
      await writeDerived(store, tenantId, (db) => advancePosition(db, active.number, reached))
    position = reached
    if (events.length < FOLLOWED_AT_ONCE && changes.length < FOLLOWED_AT_ONCE) break
  }
  await rescoreDue(store, rescorer, isStopped)
}

/** Re-scores the records in small commits. Returns false if it was stopped before the end. */
async function rescoreAll(
  store: Store,
  rescorer: Rescorer,
  ids: readonly string[],
  cause: Parameters<typeof rescore>[3],
  isStopped: () => boolean,
): Promise<boolean> {
  for (const part of slicesOf(ids, RECORDS_AT_ONCE)) {
    if (isStopped()) return false
    const began = performance.now()
    await rescore(store, rescorer, part, cause)
    await delay(REST * (performance.now() - began))
  }
  return true
}

async function rescoreDue(store: Store, rescorer: Rescorer, isStopped: () => boolean): Promise<void> {
  const { tenant, number: generation } = rescorer.active
  for (;;) {
    const now = store.clock().getTime()
    const ids = await selectDue(store.reader, { tenant, generation, now, limit: FOLLOWED_AT_ONCE })
    if (!(await rescoreAll(store, rescorer, ids, 'time_passed', isStopped))) return
    if (ids.length < FOLLOWED_AT_ONCE) return
  }
}
