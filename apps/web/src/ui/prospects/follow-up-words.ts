import { formatWeekday } from '../text/format.ts'

/** A follow-up date in a sentence: follow-up today, follow-up Mon, 30 Nov 2026, follow-up overdue since Fri, 27 Nov 2026. */
export function followUpWords(on: string, today: string): string {
  if (on === today) return 'follow-up today'
  return `${on < today ? 'follow-up overdue since' : 'follow-up'} ${formatWeekday(on)}`
}
