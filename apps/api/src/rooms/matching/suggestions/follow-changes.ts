import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { followStore } from '../../../store/change/follow-store.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant } from '../../identity/identity.ts'
import { checkBusiness } from './check-business.ts'
import { findPosition, savePosition, selectChangesAfter } from './position.queries.ts'
import { saveDerived } from './save-derived.ts'

/**
 * Pause after a check, as a multiple of its duration. With 3, a backlog after an upgrade or a flood of changes uses a quarter of an idle event loop.
 */
const REST = 3
/**
 * Maximum number of consecutive pauses while the event loop is busy. It guarantees checks at least a sixteenth of the time, so that they are not
 * postponed without end.
 */
const MOST_RESTS = 5
const BUSY_UTILIZATION = 0.5
/** Number of events of a tenant that are processed before its position in the audit is stored. */
const EVENTS_AT_ONCE = 100

/**
 * Checks every business that was created, edited, merged or made inactive, within a second. It reads the audit to find them, because each change
 * writes its event in its own transaction. The position in the audit is stored, so that a crash loses no change.
 */
export function startFollowingChanges(store: Store, log: Pick<Logger, 'error'>): Loop {
  return followStore(store, {
    name: 'matching follower',
    work: (isStopped) => followChanges(store, isStopped),
    log,
    failed: 'failed to check changed records for duplicates',
  })
}

/** Processes the audit of every tenant up to its newest event. Returns the number of changed businesses. Errors: those of `forEachTenant`. */
export async function followChanges(store: Store, isStopped: () => boolean = () => false): Promise<number> {
  let checked = 0
  await forEachTenant(store, async (tenantId) => {
    checked += await followTenant(store, tenantId, isStopped)
  })
  return checked
}

async function followTenant(store: Store, tenantId: string, isStopped: () => boolean): Promise<number> {
  let checked = 0
  let position = 0
  while (!isStopped()) {
    // Reads the stored position again, because a run over the whole tenant can advance it in the meantime.
    position = Math.max(position, await findPosition(store.reader, tenantId))
    const events = await selectChangesAfter(store.reader, tenantId, position, EVENTS_AT_ONCE)
    const last = events.at(-1)
    if (last === undefined) return checked
    const businesses = new Set(events.flatMap(({ business_id: id }) => (id === null ? [] : [id])))
    for (const id of businesses) {
      if (isStopped()) return checked
      const began = performance.now()
      if (await checkBusiness(store, tenantId, id)) checked += 1
      await rest(performance.now() - began)
    }
    const { sequence } = last
    if (businesses.size > 0 || events.length === EVENTS_AT_ONCE)
      await saveDerived(store, tenantId, (db) => savePosition(db, tenantId, sequence))
    position = sequence
  }
  return checked
}

async function rest(workedMs: number): Promise<void> {
  for (let rests = 0; rests < MOST_RESTS; rests++) {
    const before = performance.eventLoopUtilization()
    await delay(REST * workedMs)
    if (performance.eventLoopUtilization(before).utilization < BUSY_UTILIZATION) return
  }
}
