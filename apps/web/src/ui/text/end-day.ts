/**
 * The last day of an approval, an enablement or another decision that expires. The last day is included: a decision "until 1 June" is valid until
 * the end of 1 June in the time zone of the workspace.
 */
import { dayFrom } from './day.ts'
import { problemOfComingDay } from './day-words.ts'
import { dayIn, formatDay } from './format.ts'
import { daysBefore, endOfDay } from './zone-time.ts'

const DAY_MS = 86_400_000

export type Term = {
  /** Number of days from today that the form proposes. */
  usualDays: number
  /** Maximum number of days from now, as the API limits it; undefined if the API limits the end in another way. */
  maxDays?: number
}

/** The last day whose end is at most this number of days from now. */
export function latestEndDay(maxDays: number, now: Date, zone: string): string {
  const latest = new Date(now.getTime() + maxDays * DAY_MS).toISOString()
  const day = dayIn(latest, zone)
  return endOfDay(day, zone) <= latest ? day : daysBefore(day, 1)
}

/** The last day that a form proposes. */
export function usualEndDay({ usualDays, maxDays }: Term, now: Date, zone: string): string {
  const usual = daysBefore(dayIn(now.toISOString(), zone), -usualDays)
  if (maxDays === undefined) return usual
  return [usual, latestEndDay(maxDays, now, zone)].toSorted()[0] ?? usual
}

/** Error for a typed last day; null if it can be sent. */
export function endDayProblem(typed: string, { maxDays }: Term, now: Date, zone: string): string | null {
  const problem = problemOfComingDay(typed, dayIn(now.toISOString(), zone))
  if (problem !== null || maxDays === undefined) return problem
  const [day, latest] = [dayFrom(typed), latestEndDay(maxDays, now, zone)]
  return day !== null && day > latest ? `Choose a day up to ${formatDay(latest)}.` : null
}

/** Instant that the API receives for a typed last day, which `endDayProblem` accepts. */
export function endInstant(typed: string, zone: string): string {
  const day = dayFrom(typed)
  if (day === null) throw new Error('The last day is validated before it is sent.')
  return endOfDay(day, zone)
}
