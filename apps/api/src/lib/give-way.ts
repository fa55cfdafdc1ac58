import { existsSync, readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Path that names the calling thread, as `<process>/task/<thread>`. */
const THREAD_SELF = '/proc/thread-self'

/** Priority below the threads that serve requests, and above the lowest one (docs/decisions/backups.md). */
const BEHIND = constants.priority.PRIORITY_BELOW_NORMAL
/** Lower priority with a third of the processor share of `BEHIND`. */
const FAR_BEHIND = 15

/** Computing time between two pauses, and the shortest possible pause, which Linux extends to some 75 µs. */
const PAUSE_EVERY_MS = 1
const PAUSE_MS = 0.001

/**
 * Lowers the calling thread below the one that serves requests. With as many busy threads as cores, a request would otherwise wait for
 * another thread's time slice. Linux sets priorities by thread; on other systems nothing is lowered, because it would affect the whole
 * process.
 */
export function giveWay(): void {
  lower(BEHIND)
}

/**
 * Lowers the calling thread below other background threads too. Use it for a thread that computes for long while another one holds the store's write
 * lock, because a request may wait for that lock (docs/performance/matching-runs.md).
 */
export function giveWayToAll(): void {
  lower(FAR_BEHIND)
}

function lower(priority: number): void {
  if (existsSync(THREAD_SELF)) setPriority(Number(basename(readlinkSync(THREAD_SELF))), priority)
}

/**
 * Returns a function that a long-computing thread calls every few microseconds; it pauses briefly once per millisecond. A thread that has just
 * received a core keeps it for some milliseconds, whatever the priority of a waking thread. A pause releases the core.
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
