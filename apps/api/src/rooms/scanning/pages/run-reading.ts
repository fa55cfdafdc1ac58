import { type OutOfBounds, type Turn, threadInTurn } from '../../../lib/thread-in-turn.ts'
import { parseBounds, runningBounds } from '../bounds.ts'
import type { ScanReason } from '../reasons.ts'
import type { PageOrder, ReadPage } from './page-facts.ts'
import type { ReadRobots, RobotsOrder } from './robots-order.ts'

const thread = threadInTurn<PageOrder | RobotsOrder, ReadPage | ReadRobots>({
  file: new URL('./read-page-worker.ts', import.meta.url),
  maxMemoryMb: parseBounds.threadMb,
  places: { max: 16, what: 'pages', name: 'waiting_pages' },
  lost: 'The page could not be read, and nothing was stored. Try again.',
})

const reasons: Readonly<Record<OutOfBounds, ScanReason>> = { time: 'parse_timeout', memory: 'node_limit' }

/** A parsed page, or a reason if the page reached the time or memory limit and its thread was terminated. */
export type Reading = { page: ReadPage } | { page: undefined; reason: ScanReason }

/**
 * Parses a page in the worker thread, one page at a time, within the parse limits. A page never makes the promise reject. Errors:
 * `too_many_waiting` (pages of this tenant), `unavailable` (too many pages wait, or no thread starts).
 */
export async function runReading(
  turn: Turn,
  order: PageOrder,
  parseMs: number = parseBounds.parseMs,
): Promise<Reading> {
  const read = await thread.run(turn, order, parseMs)
  return 'answer' in read ? { page: read.answer as ReadPage } : { page: undefined, reason: reasons[read.outOfBounds] }
}

/** Evaluates robots.txt in the worker thread; undefined if it reached the time limit. */
export async function runRobots(turn: Turn, order: RobotsOrder): Promise<ReadRobots | undefined> {
  const read = await thread.run(turn, order, runningBounds.robotsMs)
  return 'answer' in read ? (read.answer as ReadRobots) : undefined
}

/** Ends the idle thread when the process stops. */
export const endPageThread = thread.end
