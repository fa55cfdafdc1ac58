import type { Logger } from 'pino'
import { every, type Loop } from '../../lib/every.ts'
import type { Store } from '../store.ts'
import type { AuditFollower } from './audit-follower.ts'
import { replacePosition, selectNewest, selectPositions } from './follow-audit.queries.ts'
import { createLane, createReads, type Failure, type Place } from './follower-lane.ts'

/** Interval of the check for recorded events. A follower gets an event at most this long after its commit. */
const LOOK_EVERY_MS = 300
/** Shortest interval of the comparison with the newest event of every tenant, which finds events of other processes and of threads. */
const COMPARE_EVERY_MS = 2_000
/** Tenants of one comparison. */
const COMPARED_AT_ONCE = 500

type FollowedStore = Pick<Store, 'reader' | 'write' | 'clock' | 'leases' | 'signals' | 'version'>
type Log = Pick<Logger, 'error'>

/**
 * Gives the audit events of all tenants to the followers, in only one of the processes that have the store open. A page of events is read once for all
 * followers. A follower that fails for a tenant is logged and repeated with a growing delay; other tenants and other followers continue. Positions
 * are stored after the work, so that a crash repeats events and loses none.
 */
export function followAudit(store: FollowedStore, followers: readonly AuditFollower[], log: Log): Loop {
  const lease = store.leases.lease('audit followers')
  let isStopping = false
  const isStopped = () => isStopping || !lease.isHeld()
  const following = createFollowing(store, followers, isStopped, (follower, failure) => {
    log.error({ ...failure, follower }, 'a follower of the audit failed for a workspace')
  })
  const recorded = new Set<string>()
  let seenVersion = -1
  let comparedAt = 0

  const onRecorded = (tenantId: string) => recorded.add(tenantId)
  store.signals.on('recorded', onRecorded)

  async function compare(): Promise<void> {
    const version = store.version()
    const now = performance.now()
    if (version === seenVersion || now - comparedAt < COMPARE_EVERY_MS) return
    comparedAt = now
    await following.compare()
    seenVersion = version
  }

  async function look(): Promise<void> {
    const wasHeld = lease.isHeld()
    if (!(await lease.hold())) return recorded.clear()
    if (!wasHeld) {
      // Another process may have followed since this one last did.
      await following.reset()
      comparedAt = -COMPARE_EVERY_MS
      seenVersion = -1
    }
    for (const tenantId of recorded) following.mark(tenantId)
    recorded.clear()
    await compare()
    following.run()
    await following.save()
  }

  const loop = every(LOOK_EVERY_MS, look, { log, failed: 'following the audit failed' })
  return {
    started: loop.started,
    stop: async () => {
      isStopping = true
      store.signals.off('recorded', onRecorded)
      await loop.stop()
      await following.idle()
      if (lease.isHeld()) await following.save({ isAll: true })
      await lease.release()
    },
  }
}

/**
 * Gives these followers all events up to the newest of every tenant, at once and without a lease. For tests, benchmarks and the acceptance run. Throws
 * an `AggregateError` if a follower failed for a tenant; the others were followed.
 */
export async function followToEnd(store: FollowedStore, followers: readonly AuditFollower[]): Promise<void> {
  const failures: Error[] = []
  const following = createFollowing(
    store,
    followers,
    () => false,
    (follower, { err, tenantId }) => {
      failures.push(new Error(`The follower ${follower} failed for the tenant ${tenantId}.`, { cause: err }))
    },
  )
  let moved: number
  do {
    await following.compare()
    following.run()
    moved = await following.idle()
  } while (moved > 0)
  await following.save({ isAll: true })
  if (failures.length > 0) throw new AggregateError(failures, 'Following the audit failed for some of the tenants.')
}

/** `sequence`: the position to store. A follower may go on while it is stored. */
type Unsaved = { lane: ReturnType<typeof createLane>; place: Place; sequence: number }

type OnFailure = (follower: string, failure: Failure) => void

/** The followers with what this process knows of their progress. */
function createFollowing(
  store: FollowedStore,
  followers: readonly AuditFollower[],
  isStopped: () => boolean,
  onFailure: OnFailure,
) {
  const reads = createReads(store)
  const lanes = followers.map((follower) =>
    createLane({ store, follower, reads, isStopped, onFailure: (failure) => onFailure(follower.name, failure) }),
  )
  let isCompared = false

  /** Makes every follower look at this tenant. */
  function mark(tenantId: string): void {
    reads.forget(tenantId)
    for (const lane of lanes) lane.mark(tenantId)
  }

  /** Resolves when all followers are idle. Returns the number of steps that they made since the last call. */
  async function idle(): Promise<number> {
    const moved = await Promise.all(lanes.map((lane) => lane.idle()))
    return moved.reduce((sum, one) => sum + one, 0)
  }

  return {
    mark,
    idle,

    /** Marks the tenants with events that this process has not read; the first time, those whose stored positions are not the newest event. */
    async compare(): Promise<void> {
      const isFirst = !isCompared
      let after: string | undefined = ''
      while (after !== undefined) {
        const page = await selectNewest(store.reader, { after, limit: COMPARED_AT_ONCE })
        const ids = page.map(({ tenantId }) => tenantId)
        const rows = isFirst ? await selectPositions(store.reader, ids) : []
        const positions = new Map(rows.map((row) => [`${row.follower} ${row.tenant_id}`, row]))
        for (const { tenantId, newest } of page) {
          if (isFirst)
            for (const lane of lanes) lane.compare(tenantId, newest, positions.get(`${lane.name} ${tenantId}`))
          else if (reads.newestOf(tenantId) !== newest) mark(tenantId)
          reads.setNewest(tenantId, newest)
        }
        after = page.length < COMPARED_AT_ONCE ? undefined : page.at(-1)?.tenantId
      }
      isCompared = true
    },

    /** Starts the followers that have marked tenants and are idle. */
    run(): void {
      for (const lane of lanes) lane.run()
    },

    /** Waits for the running work, and then clears the progress that is only in memory. Stored positions do not change. */
    async reset(): Promise<void> {
      await idle()
      for (const lane of lanes) lane.reset()
      reads.reset()
      isCompared = false
    },

    /** Stores the positions that are due. All positions of a tenant are stored in one write, and the writes of all tenants share a commit. */
    async save({ isAll = false } = {}): Promise<void> {
      const unsaved = lanes.flatMap((lane) =>
        lane.unsaved().map((place): Unsaved => ({ lane, place, sequence: place.reached })),
      )
      const byTenant = Map.groupBy(unsaved, ({ place }) => place.stored.tenant_id)
      const due = [...byTenant.values()].filter(
        (places) => isAll || places.some(({ lane, place }) => lane.isDue(place)),
      )
      await Promise.all(due.map(saveTenant))
    },
  }

  async function saveTenant(unsaved: readonly Unsaved[]): Promise<void> {
    const [first] = unsaved
    if (first === undefined) return
    const saved = await store.write({ tenantId: first.place.stored.tenant_id }, async (db) => {
      const results: boolean[] = []
      for (const { place, sequence } of unsaved)
        results.push(await replacePosition(db, place.stored, { ...place.stored, sequence }))
      return { keep: results.includes(true), value: results }
    })
    for (const [index, { lane, place, sequence }] of unsaved.entries()) {
      if (saved[index]) lane.saved(place, sequence)
      else lane.discard(place)
    }
  }
}
