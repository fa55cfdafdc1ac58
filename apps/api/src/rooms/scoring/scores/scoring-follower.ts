import type { AuditFollower, Begun } from '../../../store/change/audit-follower.ts'
import { deletePosition, type FollowedEvent } from '../../../store/change/follow-audit.queries.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Store } from '../../../store/store.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import { type ActiveGeneration, findActiveGeneration, followerName, setPaused } from '../runs/runs.queries.ts'
import { rescoreAllDue } from './due-scores.ts'
import { recordsOf } from './named-records.ts'
import { rescoreChanged } from './rescore-all.ts'

/**
 * Scores changed records again by the active version within two seconds. The audit names most changed records; `score_changes` names the others. The
 * active generation has a position of its own, which tells readers of lists up to which event its scores are current.
 */
export function scoringFollower(store: Store): AuditFollower {
  return {
    name: followerName,
    version: ALGORITHM_VERSION,
    // Triggers add to `score_changes` in the transactions of any event.
    wants: () => true,
    on: (tenantId, events, isStopped) => follow(store, tenantId, events, isStopped),
    begin: (tenantId, { newest }) => begin(store, tenantId, newest),
  }
}

/** Begins at the position of the active generation. A generation of another algorithm is paused: its scores stay until the next recalculation. */
async function begin(store: Store, tenantId: string, newest: number): Promise<Begun | null> {
  const active = await findActiveGeneration(store.reader, tenantId)
  if (active === undefined || (await pauseOrResume(store, active))) return null
  return { sequence: Math.min(active.sequence, newest), version: ALGORITHM_VERSION }
}

async function follow(
  store: Store,
  tenantId: string,
  events: readonly FollowedEvent[],
  isStopped: () => boolean,
): Promise<boolean> {
  const active = await findActiveGeneration(store.reader, tenantId)
  if (active === undefined) return false
  if (await pauseOrResume(store, active)) {
    await writeDerived(store, tenantId, (db) => deletePosition(db, { tenantId, follower: followerName }))
    return false
  }
  const named = await recordsOf({ db: store.reader, background: store.backgroundOf(tenantId) }, tenantId, events)
  return rescoreChanged(store, active, { named, sequence: events.at(-1)?.sequence ?? active.sequence }, isStopped)
}

/** Stores whether the generation is paused, because this build evaluates differently. Returns true if it is. */
async function pauseOrResume(store: Store, active: ActiveGeneration): Promise<boolean> {
  const isPaused = active.algorithm_version !== ALGORITHM_VERSION
  if (isPaused !== active.isPaused)
    await writeDerived(store, active.tenantId, (db) => setPaused(db, active.number, isPaused))
  return isPaused
}

/** Follows the audit of every tenant to its end, and scores what is due again. */
export async function followScores(store: Store): Promise<void> {
  await followToEnd(store, [scoringFollower(store)])
  await rescoreAllDue(store)
}
