/** How fast a job goes and how long it may still take, from its progress events; nothing is said that they do not show. */
import type { JobEvent } from '@prospect/api-client'
import { formatNumber } from '../text/format.ts'

export type Progress = { done: number; total: number | null; unit: string }

/** Only what happened lately tells how fast it is now. */
const WINDOW_MS = 60_000
/** Before so much has been seen, a rate would be made up. */
const MIN_SPAN_MS = 3_000
/** A job that tells nothing for so long, and for so many times its usual interval, may stand still. */
const STALLED_AFTER_MS = 15_000
const STALLED_INTERVALS = 5

export type Pace = {
  /** units a second; null: not enough was seen */
  rate: number | null
  remainingMs: number | null
  /** how long nothing was told; null while that is no wonder */
  stalledMs: number | null
}

export function progressWords({ done, total, unit }: Progress): string {
  return total === null ? `${formatNumber(done)} ${unit}` : `${formatNumber(done)} of ${formatNumber(total)} ${unit}`
}

export function progressOf(event: JobEvent): Progress | null {
  const told = event.type === 'progress' ? event.data : event.data.progress
  if (typeof told !== 'object' || told === null || !('done' in told) || !('unit' in told)) return null
  const { done, unit } = told
  const total = 'total' in told ? told.total : null
  if (typeof done !== 'number' || typeof unit !== 'string') return null
  return { done, total: typeof total === 'number' ? total : null, unit }
}

export function newestProgress(events: readonly JobEvent[]): Progress | null {
  for (const event of events.toReversed()) {
    const progress = progressOf(event)
    if (progress !== null) return progress
  }
  return null
}

/** Of a job that runs; `now` is the server's time as far as it is known. */
export function paceOf(events: readonly JobEvent[], now: number): Pace {
  const started = events.findLastIndex(({ type }) => type === 'started')
  const seen = events
    .slice(started + 1)
    .map((event) => ({ at: Date.parse(event.at), progress: progressOf(event) }))
    .filter((one): one is { at: number; progress: Progress } => one.progress !== null)
  const last = seen.at(-1)
  if (last === undefined) return { rate: null, remainingMs: null, stalledMs: null }
  const lately = seen.filter(({ at }) => at >= last.at - WINDOW_MS)
  const first = lately[0] ?? last
  const span = last.at - first.at
  const silent = now - last.at
  const usual = lately.length > 1 ? span / (lately.length - 1) : 0
  const isStalled = silent > Math.max(STALLED_AFTER_MS, usual * STALLED_INTERVALS)
  const rate = span >= MIN_SPAN_MS ? (last.progress.done - first.progress.done) / (span / 1_000) : null
  const left = last.progress.total === null ? null : last.progress.total - last.progress.done
  const canTell = !isStalled && rate !== null && rate > 0 && left !== null
  return {
    rate,
    remainingMs: canTell ? Math.max(0, (left / rate) * 1_000 - silent) : null,
    stalledMs: isStalled ? silent : null,
  }
}
