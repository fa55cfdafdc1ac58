import type { FollowerPosition } from '../store.table.ts'
import type { Store } from '../store.ts'
import type { AuditFollower, Beginning, Begun } from './audit-follower.ts'
import {
  deletePosition,
  type FollowedEvent,
  findNewest,
  findPosition,
  insertPosition,
  replacePosition,
  selectEventsAfter,
} from './follow-audit.queries.ts'

/** Events per read, and the most that a follower gets at once. */
export const EVENTS_PER_READ = 200
/** Reads that are stored for the followers that need the same events. */
const STORED_READS = 32
/** A position after which nothing was derived is stored once per this many events and this long, not at each commit. */
export const SAVE_AFTER_EVENTS = 100
export const SAVE_AFTER_MS = 60_000
/** Delay after the first failure of a follower for a tenant. It doubles with each further failure. */
const RETRY_AFTER_MS = 10_000
const MAX_RETRY_MS = 600_000

/** A failure of a follower for one tenant. */
export type Failure = { err: unknown; tenantId: string; retryInMs: number }

/** The reads of events that followers of this process share. */
export function createReads({ reader }: Pick<Store, 'reader'>) {
  const read = new Map<string, { after: number; events: Promise<FollowedEvent[]> }>()
  /** sequence of the newest event of each tenant when it was last read */
  const newest = new Map<string, number>()

  return {
    /** Returns events of the tenant after a sequence, in order, and whether there may be more. */
    async after(tenantId: string, after: number): Promise<{ events: FollowedEvent[]; isEnd: boolean }> {
      const known = read.get(tenantId)
      if (known !== undefined && known.after <= after) {
        const events = await known.events
        const isEnd = events.length < EVENTS_PER_READ
        if (isEnd || (events.at(-1)?.sequence ?? 0) > after)
          return { events: events.filter(({ sequence }) => sequence > after), isEnd }
      }
      const reading = selectEventsAfter(reader, { tenantId, after, limit: EVENTS_PER_READ })
      const entry = { after, events: reading }
      read.delete(tenantId)
      read.set(tenantId, entry)
      // A failed read is repeated by the next follower, and each follower that awaits this one fails.
      reading.catch(() => {
        if (read.get(tenantId) === entry) read.delete(tenantId)
      })
      const [oldest] = read.keys()
      if (read.size > STORED_READS && oldest !== undefined) read.delete(oldest)
      const events = await reading
      const isEnd = events.length < EVENTS_PER_READ
      const last = events.at(-1)
      if (isEnd && last !== undefined) newest.set(tenantId, last.sequence)
      return { events, isEnd }
    },
    forget: (tenantId: string) => void read.delete(tenantId),
    newestOf: (tenantId: string) => newest.get(tenantId),
    setNewest: (tenantId: string, sequence: number) => void newest.set(tenantId, sequence),
    reset: () => read.clear(),
  }
}

/** Progress of a follower in one tenant that is not stored yet. */
export type Place = {
  stored: FollowerPosition
  /** last processed event */
  reached: number
  /** true if something was derived since the position was stored */
  hasWork: boolean
  /** time of the first event that is not stored yet */
  since: number
}

type LaneOptions = {
  store: Pick<Store, 'reader' | 'write' | 'clock'>
  follower: AuditFollower
  reads: ReturnType<typeof createReads>
  isStopped: () => boolean
  onFailure: (failure: Failure) => void
}

/** One follower, which works through its marked tenants one after the other, a page of events at a time. */
export function createLane({ store, follower, reads, isStopped, onFailure }: LaneOptions) {
  const { reader } = store
  const marked = new Set<string>()
  const places = new Map<string, Place>()
  const failures = new Map<string, { count: number; retryAt: number }>()
  let running: Promise<void> | undefined
  let moved = 0

  const now = () => store.clock().getTime()
  const isOtherVersion = ({ version }: Begun) => follower.version !== undefined && version !== follower.version

  function isWaiting(tenantId: string): boolean {
    const failure = failures.get(tenantId)
    if (failure === undefined) return false
    // A retry beyond the longest delay means that the clock was set back.
    const waitMs = failure.retryAt - now()
    return waitMs > 0 && waitMs <= MAX_RETRY_MS
  }

  function mark(tenantId: string): void {
    if (!isWaiting(tenantId)) marked.add(tenantId)
  }

  async function work(): Promise<void> {
    // The iteration includes tenants that are marked meanwhile.
    for (const tenantId of marked) {
      if (isStopped()) return
      marked.delete(tenantId)
      try {
        const isEnd = await visit(tenantId)
        failures.delete(tenantId)
        if (!isEnd) marked.add(tenantId)
      } catch (error) {
        fail(tenantId, error)
      }
    }
  }

  function fail(tenantId: string, error: unknown): void {
    const count = (failures.get(tenantId)?.count ?? 0) + 1
    const retryInMs = Math.min(RETRY_AFTER_MS * 2 ** (count - 1), MAX_RETRY_MS)
    failures.set(tenantId, { count, retryAt: now() + retryInMs })
    onFailure({ err: error, tenantId, retryInMs })
  }

  /** Processes one page of events. Returns true if the tenant has no more. */
  async function visit(tenantId: string): Promise<boolean> {
    const place = await findPlace(tenantId)
    if (place === undefined) return true
    const { events, isEnd } = await reads.after(tenantId, place.reached)
    const last = events.at(-1)
    if (last === undefined) return true
    const wanted = events.filter((event) => follower.wants(event))
    const hasWritten = wanted.length > 0 && (await follower.on(tenantId, wanted, isStopped)) !== false
    if (isStopped()) return true
    if (place.reached === place.stored.sequence) place.since = now()
    place.reached = last.sequence
    place.hasWork ||= hasWritten
    places.set(tenantId, place)
    moved += 1
    return isEnd
  }

  /** Returns the progress in a tenant; undefined if the tenant is not followed. */
  async function findPlace(tenantId: string): Promise<Place | undefined> {
    const key = { tenantId, follower: follower.name }
    const stored = await findPosition(reader, key)
    const place = placeAt(tenantId, stored)
    const cause = await causeToBegin(tenantId, place)
    if (cause === undefined) return place
    const newest = await findNewest(reader, tenantId)
    const begun = await begin(tenantId, { cause, stored, newest, isStopped })
    if (isStopped()) return undefined
    if (begun === null) {
      places.delete(tenantId)
      if (stored !== undefined)
        await store.write({ tenantId }, async (db) => ({ keep: true, value: await deletePosition(db, key) }))
      return undefined
    }
    if (stored !== undefined && begun.sequence === stored.sequence && begun.version === stored.version) return place
    const row = { tenant_id: tenantId, follower: follower.name, ...begun }
    await store.write({ tenantId }, async (db) => {
      if (stored === undefined) await insertPosition(db, row)
      else await replacePosition(db, stored, begun)
      return { keep: true, value: undefined }
    })
    moved += 1
    return placeAt(tenantId, await findPosition(reader, key))
  }

  /** Returns the unsaved progress, or the stored position if it was changed by something else than this follower. */
  function placeAt(tenantId: string, stored: FollowerPosition | undefined): Place | undefined {
    const place = places.get(tenantId)
    if (place !== undefined && place.stored.sequence === stored?.sequence && place.stored.version === stored.version)
      return place
    places.delete(tenantId)
    return stored && { stored, reached: stored.sequence, hasWork: false, since: now() }
  }

  async function causeToBegin(tenantId: string, place: Place | undefined): Promise<Beginning['cause'] | undefined> {
    if (place === undefined) return 'new'
    if (isOtherVersion(place.stored)) return 'version'
    const { events } = await reads.after(tenantId, place.reached)
    if (events.length > 0) return undefined
    const newest = await findNewest(reader, tenantId)
    return newest < place.reached ? 'restored' : undefined
  }

  function forget(place: Place): void {
    const tenantId = place.stored.tenant_id
    if (places.get(tenantId) === place) places.delete(tenantId)
  }

  async function begin(tenantId: string, beginning: Beginning): Promise<Begun | null> {
    if (follower.begin !== undefined) return follower.begin(tenantId, beginning)
    return { sequence: 0, version: follower.version ?? '' }
  }

  return {
    name: follower.name,
    mark,

    compare(tenantId: string, newest: number, stored: FollowerPosition | undefined): void {
      if (stored === undefined || stored.sequence !== newest || isOtherVersion(stored)) mark(tenantId)
    },

    run(): void {
      for (const tenantId of failures.keys()) mark(tenantId)
      if (marked.size > 0)
        running ??= work().finally(() => {
          running = undefined
        })
    },

    async idle(): Promise<number> {
      await running
      const steps = moved
      moved = 0
      return steps
    },

    reset(): void {
      marked.clear()
      places.clear()
      failures.clear()
    },

    unsaved: () => [...places.values()].filter(({ reached, stored }) => reached !== stored.sequence),

    isDue({ hasWork, reached, stored, since }: Place): boolean {
      return hasWork || reached - stored.sequence >= SAVE_AFTER_EVENTS || now() - since >= SAVE_AFTER_MS
    },

    saved(place: Place, sequence: number): void {
      place.stored = { ...place.stored, sequence }
      place.since = now()
      // The follower may have gone on meanwhile; `hasWork` then includes later work.
      if (place.reached !== sequence) return
      place.hasWork = false
      forget(place)
    },

    /** Forgets progress whose stored position was changed by something else. */
    discard(place: Place): void {
      forget(place)
      mark(place.stored.tenant_id)
    },
  }
}
