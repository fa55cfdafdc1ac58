import { existsSync, readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Names the thread that asks, as `<process>/task/<thread>`. */
const THREAD_SELF = '/proc/thread-self'

/** Below the threads that serve requests, and above the lowest priority (docs/decisions/backups.md). */
const BEHIND = constants.priority.PRIORITY_BELOW_NORMAL
/** Behind those as well: a third of their share. */
const FAR_BEHIND = 15

/** What a thread computes between two pauses, and the shortest that can be waited, of which Linux makes some 75 µs. */
const PAUSE_EVERY_MS = 1
const PAUSE_MS = 0.001

/**
 * Lets the thread that answers requests go before the one that calls this: with as many busy threads as cores a request would wait for the
 * other's turn to end. On Linux a priority is a thread's own; elsewhere nothing is lowered, for it would be the whole process.
 */
export function giveWay(): void {
  lower(BEHIND)
}

/**
 * The same, and lets other threads that give way go first: for one that computes for long beside a thread that holds the lock of the
 * store, for which somebody who is served may wait (docs/performance/matching-runs.md).
 */
export function giveWayToAll(): void {
  lower(FAR_BEHIND)
}

function lower(priority: number): void {
  if (existsSync(THREAD_SELF)) setPriority(Number(basename(readlinkSync(THREAD_SELF))), priority)
}

/**
 * Answers what a thread that computes for long calls every few microseconds: once in a millisecond it stands still for a moment. Who has just
 * been given a core keeps it for some milliseconds, whatever the priority of a thread that wakes meanwhile; who stands still hands it on.
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
