import { dayIn } from '../../../ui/text/format.ts'
import { nextDay, startOfDay } from '../../../ui/text/zone-time.ts'

/** Last millisecond of a calendar day in a zone. */
export function endOfDay(day: string, timeZone: string): string {
  return new Date(new Date(startOfDay(nextDay(day), timeZone)).getTime() - 1).toISOString()
}

/** Day that begins or ends at a moment; null for a moment within a day. */
export function dayAt(at: string, edgeOf: typeof startOfDay, timeZone: string): string | null {
  const day = dayIn(at, timeZone)
  return edgeOf(day, timeZone) === new Date(at).toISOString() ? day : null
}
