import type { ContactHours } from '@prospect/api-client'
import { dateFormat } from '../text/date-format.ts'
import { dayIn } from '../text/format.ts'
import { workspaceLocale } from '../text/locale.ts'
import { localTime } from '../text/zone-time.ts'

type Now = { zone: string; now: Date }

/** May be called now · Not now: Sunday. From Monday 08:00 · Unknown: no calendar for NA */
export function callWords(hours: Pick<ContactHours, 'status' | 'reason' | 'nextAt'>, now: Now): string {
  if (hours.status === 'allowed') return 'May be called now'
  return outsideWords(hours, now)
}

/** The words for a time at which contact is not known to be allowed. */
export function outsideWords(
  { status, reason, nextAt }: Pick<ContactHours, 'status' | 'reason' | 'nextAt'>,
  now: Now,
): string {
  if (status === 'unknown') return `Unknown: ${reason}`
  return `Not now: ${reason}${nextAt === null ? '' : `. From ${momentWords(nextAt, now)}`}`
}

/** A time of the coming days: Monday 08:00, or today 08:00. */
function momentWords(at: string, { zone, now }: Now): string {
  const day =
    dayIn(at, zone) === dayIn(now.toISOString(), zone)
      ? 'today'
      : dateFormat(workspaceLocale(), zone, 'long weekday', { weekday: 'long' }).format(new Date(at))
  return `${day} ${localTime(at, zone).slice(11, 16)}`
}
