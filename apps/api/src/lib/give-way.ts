import { existsSync, readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Path that names the calling thread, as `<process>/task/<thread>`. */
const THREAD_SELF = '/proc/thread-self'

/** A priority below the threads that serve requests, and above the lowest one (docs/decisions/backups.md). */
const BEHIND = constants.priority.PRIORITY_BELOW_NORMAL
/** A lower priority. A thread with it gets a third of the processor time of one with `BEHIND`. */
const FAR_BEHIND = 15

/** `PAUSE_EVERY_MS`: computing time between two pauses. `PAUSE_MS`: the shortest pause that can be requested; Linux extends it to some 75 µs. */
const PAUSE_EVERY_MS = 1
const PAUSE_MS = 0.001

/**
 * Lowers the priority of the calling thread below the thread that serves requests. With as many busy threads as cores, a request would otherwise wait
 * until the time slice of another thread ends. Linux has a priority per thread. On other systems nothing is changed, because it would affect the
 * whole process.
 */
export function giveWay(): void {
  lower(BEHIND)
}

/**
 * Lowers the priority of the calling thread below other background threads too. For a thread that computes for long while another thread has the
 * write lock of the store, because a request may wait for that lock (docs/performance/matching-runs.md).
 */
export function giveWayToAll(): void {
  lower(FAR_BEHIND)
}

function lower(priority: number): void {
  if (existsSync(THREAD_SELF)) setPriority(Number(basename(readlinkSync(THREAD_SELF))), priority)
}

/**
 * Returns a function that a thread calls every few microseconds while it computes for long. It pauses briefly once per millisecond, which releases
 * the core. Without a pause, a thread that has just received a core keeps it for some milliseconds, whatever the priority of a waking thread.
 */
export function createPauses(): () => void {
  const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let next = performance.now() + PAUSE_EVERY_MS
  return () => {
    if (performance.now() < next) return
    Atomics.wait(nobody, 0, 0, PAUSE_MS)
    next = performance.now() + PAUSE_EVERY_MS
  }
}
