import { existsSync, readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Names the thread that asks, as `<process>/task/<thread>`. */
const THREAD_SELF = '/proc/thread-self'

/**
 * Lets the thread that answers requests go before the one that calls this: with as many busy threads as cores a request would wait for the
 * other's turn to end. On Linux a priority is a thread's own; elsewhere nothing is lowered, for it would be the whole process. Not the
 * lowest (decision 41).
 */
export function giveWay(): void {
  if (!existsSync(THREAD_SELF)) return
  setPriority(Number(basename(readlinkSync(THREAD_SELF))), constants.priority.PRIORITY_BELOW_NORMAL)
}
