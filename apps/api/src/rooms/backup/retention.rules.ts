/** Retention of backups. */
export type RetentionPolicy = { keepDays: number; keepMonths: number }
export const KEEP_DAYS_DEFAULT = 30
export const KEEP_MONTHS_DEFAULT = 12

const DAY_MS = 86_400_000

/**
 * Returns the ids of the backups to delete. Of those older than `keepDays`, the newest of each month stays for `keepMonths` months. Of the younger
 * ones, the newest of each day stays, and every one of the last day. Backups with a future time stay whatever the clock has done, and so does the
 * newest of all.
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
