import { DAY_MS } from '../../lib/clock.ts'

/** Time for which backups are retained. */
export type RetentionPolicy = { keepDays: number; keepMonths: number }
export const KEEP_DAYS_DEFAULT = 30
export const KEEP_MONTHS_DEFAULT = 12

/**
 * Returns the ids of the backups to delete. Of the backups younger than `keepDays`, all from the last day are retained, and the newest of each
 * earlier day. Of the older ones, the newest of each month is retained for `keepMonths` months. The newest of all is always retained, and so are
 * backups with a future time, whatever happened to the clock.
 */
export function backupsToRemove(
  backups: readonly { id: string; takenAt: string }[],
  now: Date,
  { keepDays, keepMonths }: RetentionPolicy,
): string[] {
  const newestFirst = [...backups].sort((a, b) => (a.takenAt < b.takenAt ? 1 : -1))
  const firstMonth = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
    .toPlainYearMonth()
    .subtract({ months: keepMonths })
    .toString()
  const seen = new Set<string>()
  const isFirstOf = (span: string) => !seen.has(span) && seen.add(span).size > 0
  return newestFirst
    .filter(({ takenAt }, index) => {
      const ageMs = now.getTime() - Date.parse(takenAt)
      const day = takenAt.slice(0, 'yyyy-mm-dd'.length)
      const month = takenAt.slice(0, 'yyyy-mm'.length)
      const [isFirstOfDay, isFirstOfMonth] = [isFirstOf(day), isFirstOf(month)]
      if (index === 0 || ageMs < DAY_MS) return false
      if (ageMs <= keepDays * DAY_MS) return !isFirstOfDay
      return !(isFirstOfMonth && month > firstMonth)
    })
    .map(({ id }) => id)
}
