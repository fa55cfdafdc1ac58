import { z } from 'zod'
import { jsonColumn } from '../../../store/json-column.ts'
import type { HealthInterval } from '../sources.table.ts'

/*
 * Counts of the requests to a source by intervals of time. Durations are counted in steps, each of which is a quarter longer than the previous one. A
 * bucket is therefore small, and a percentile is at most a quarter too long.
 */

const MINUTE_MS = 60_000
export const intervalMs: Record<HealthInterval, number> = { minutes_5: 5 * MINUTE_MS, day: 1_440 * MINUTE_MS }
/** Maximum number of intervals in an answer: a week in steps of 5 minutes. */
export const MAX_INTERVALS = 2_016
/** Number of days for which buckets are stored. */
export const keptDays: Record<HealthInterval, number> = { minutes_5: 30, day: 730 }

const STEP = 1.25

/** Returns the start of the interval that contains this time, in UTC. */
export function startOf(interval: HealthInterval, at: string): string {
  const size = intervalMs[interval]
  return new Date(Math.floor(Date.parse(at) / size) * size).toISOString()
}

const latenciesSchema = z.record(z.string(), z.int())
export type Latencies = z.infer<typeof latenciesSchema>
export const readLatencies = jsonColumn(latenciesSchema)

function stepOf(latencyMs: number): number {
  return Math.ceil(Math.log(Math.max(1, latencyMs)) / Math.log(STEP))
}

/** Returns the longest duration that is counted in a step. */
function longestOf(step: number): number {
  return Math.floor(STEP ** step)
}

export function withLatency(latencies: Latencies, latencyMs: number): Latencies {
  const step = String(stepOf(latencyMs))
  return { ...latencies, [step]: (latencies[step] ?? 0) + 1 }
}

export function combine(all: readonly Latencies[]): Latencies {
  const sum: Latencies = {}
  for (const latencies of all) for (const step in latencies) sum[step] = (sum[step] ?? 0) + (latencies[step] ?? 0)
  return sum
}

/** Returns the percentiles of the given shares (0.5 is the median), or null without measurements. The shares must ascend. */
export function percentiles(latencies: Latencies, shares: readonly number[]): (number | null)[] {
  // The steps are in ascending order, because integer keys of an object iterate in ascending order.
  const steps = Object.entries(latencies)
  let total = 0
  for (const [, count] of steps) total += count
  let [seen, at] = [0, -1]
  return shares.map((share) => {
    while (seen < share * total && at + 1 < steps.length) {
      at += 1
      seen += steps[at]?.[1] ?? 0
    }
    return total === 0 ? null : longestOf(Number(steps[at]?.[0] ?? 0))
  })
}
