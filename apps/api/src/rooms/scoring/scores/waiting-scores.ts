import { MAX_COUNTED } from '../../../http/pagination.ts'
import { counted, numeral } from '../../../lib/numeral.ts'
import type { Store } from '../../../store/store.ts'
import {
  countActive,
  findDueSince,
  selectChangesAfter,
  selectDue,
  selectNamingEventsAfter,
  withSurvivors,
} from './changed-records.queries.ts'
import { recordsOf } from './named-records.ts'
import { type ActiveScores, isBehind } from './score-columns.ts'

export type WaitingScores = {
  count: number
  /** false if more changes wait than are counted, so that more records may wait */
  isExact: boolean
  /** time of the oldest change; null for changes without a time of their own, such as the end of a duplicate suggestion */
  since: string | null
}

/**
 * Returns the active records whose score does not include their latest change or has ended by time; null if there are none. While nothing was recorded
 * since the position of the scores, this takes three look-ups. Otherwise the background reader reads the events after the position, and ignores those
 * that name no record.
 */
export async function findWaitingScores(
  store: Store,
  tenantId: string,
  scores: ActiveScores,
  maxCounted: number = MAX_COUNTED,
): Promise<WaitingScores | null> {
  const { tenant, generation, sequence, changeNumber } = scores
  const key = { tenant, generation, now: store.clock().getTime() }
  const dueSince = await findDueSince(store.reader, key)
  if (!isBehind(scores) && dueSince === undefined) return null
  const db = store.backgroundOf(tenantId)
  const limit = maxCounted + 1
  const events = await selectNamingEventsAfter(db, tenantId, sequence, limit)
  const changes = await selectChangesAfter(db, { tenantId, after: changeNumber, limit })
  const due = dueSince === undefined ? [] : await selectDue(db, { ...key, limit })
  const named = [
    ...(await recordsOf({ db, background: db }, tenantId, events)),
    ...changes.map((one) => one.business_id),
    ...due,
  ]
  const count = await countActive(db, tenantId, await withSurvivors(db, tenantId, [...new Set(named)]))
  if (count === 0) return null
  const times = [events[0]?.at, dueSince === undefined ? undefined : new Date(dueSince).toISOString()]
  return {
    count: Math.min(count, maxCounted),
    isExact: count <= maxCounted && [events, changes, due].every((found) => found.length < limit),
    since: times.filter((at) => at !== undefined).toSorted()[0] ?? null,
  }
}

/** Describes waiting scores in a sentence: "At least 10,000 prospects wait to be scored again, since …". */
export function waitingWords({ count, isExact, since }: WaitingScores): string {
  const who = isExact ? counted(count, 'prospect waits', 'prospects wait') : `At least ${numeral(count)} prospects wait`
  return `${who} to be scored again${since === null ? '' : `, since ${since}`}.`
}
