import { invalidField } from '../../../lib/app-error.ts'
import { DAY_MS, daysAfter } from '../../../lib/clock.ts'
import { numeral } from '../../../lib/numeral.ts'
import type { Store } from '../../../store/store.ts'
import { contractOf, getSourceRow } from '../registry/source-state.ts'
import type { Health, HealthQuery } from '../sources.schema.ts'
import { selectHealth } from './health.queries.ts'
import {
  combine,
  intervalMs,
  keptDays,
  type Latencies,
  MAX_INTERVALS,
  percentiles,
  readLatencies,
} from './health.rules.ts'

function laterOf(one: string, other: string): string {
  return one > other ? one : other
}

/** Returns the buckets of a source. Without `from`, returns the newest ones, up to the maximum. Errors: `not_found`, `invalid_request`. */
export async function readHealth(
  store: Store,
  key: { tenantId: string; sourceId: string },
  { interval, from, to }: HealthQuery,
): Promise<Health> {
  const source = await getSourceRow(store.reader, key.tenantId, key.sourceId)
  const now = store.clock()
  const until = to ?? new Date(now.getTime() + intervalMs[interval]).toISOString()
  const longestMs = MAX_INTERVALS * intervalMs[interval]
  const earliest = new Date(Date.parse(until) - longestMs).toISOString()
  const since = from ?? laterOf(earliest, daysAfter(now, -keptDays[interval]))
  if (since > until) throw invalidField('from', 'after_end', 'The beginning must lie before the end.')
  if (since < earliest)
    throw invalidField('from', 'too_long', `Request at most ${numeral(longestMs / DAY_MS)} days of this interval.`)
  const rows = await selectHealth(store.reader, key, { interval, from: since, to: until })
  const all: Latencies[] = []
  const items = rows.map((row) => {
    const latencies = readLatencies(row.latencies)
    all.push(latencies)
    const [p50Ms = null, p95Ms = null] = percentiles(latencies, [0.5, 0.95])
    return {
      from: row.starts_at,
      requests: row.requests,
      answers: row.answers,
      rateLimited: row.rate_limited,
      timeouts: row.timeouts,
      errors: row.errors,
      refused: row.refused,
      bytes: row.bytes,
      p50Ms,
      p95Ms,
      circuit: row.circuit,
      raw: { kept: row.raw_kept, deleted: row.raw_deleted, failed: row.raw_failed },
    }
  })
  return { interval, from: since, to: until, isDegraded: isDegraded(), items }

  function isDegraded(): boolean | null {
    const thresholds = contractOf(source).health
    const ended = items.reduce((sum, one) => sum + one.answers + one.rateLimited + one.timeouts + one.errors, 0)
    if (thresholds === undefined || ended === 0) return null
    const failures = items.reduce((sum, one) => sum + one.timeouts + one.errors, 0)
    const [p50 = null] = percentiles(combine(all), [0.5])
    return failures / ended > thresholds.failureRatio || (p50 ?? 0) > thresholds.latencyMs
  }
}
