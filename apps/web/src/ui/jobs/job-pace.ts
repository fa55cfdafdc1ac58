/** Rate and remaining time of a job, computed from its progress events. Nothing is estimated without enough events. */
import type { JobEvent } from '@prospect/api-client'
import { formatNumber } from '../text/format.ts'

export type Progress = { done: number; total: number | null; unit: string }

/** Length of the recent period from which the rate is computed. */
const WINDOW_MS = 60_000
/** Minimum period of observation; a rate from less would be arbitrary. */
const MIN_SPAN_MS = 3_000
/** A job may be stalled if it has reported nothing for this long and for this multiple of its usual interval. */
const STALLED_AFTER_MS = 15_000
const STALLED_INTERVALS = 5

export type Pace = {
  /** Units per second; null if too little was observed. */
  rate: number | null
  remainingMs: number | null
  /** Time since the last progress; null while that is within the usual interval. */
  stalledMs: number | null
}

export function progressWords({ done, total, unit }: Progress): string {
  return total === null ? `${formatNumber(done)} ${unit}` : `${formatNumber(done)} of ${formatNumber(total)} ${unit}`
}

export function progressOf(event: JobEvent): Progress | null {
  const reported = event.type === 'progress' ? event.data : event.data.progress
  if (typeof reported !== 'object' || reported === null || !('done' in reported) || !('unit' in reported)) return null
  const { done, unit } = reported
  const total = 'total' in reported ? reported.total : null
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

/** Pace of a running job. `now` is the server's time. */
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
