/** Calendar days in the form of addresses and filters, in every locale: 2026-11-21. */
import { instantIn, localTime, nextDay, startOfDay } from './zone-time.ts'

/** First year that the API accepts. An earlier one is a typing error, such as 0026 for 2026. */
export const FIRST_YEAR = 1900

/** True for a day that exists in the calendar, in a year that the API accepts; `2026-02-30` does not exist. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number(text.slice(0, 4)) < FIRST_YEAR) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

export const writtenAsDay = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
export const writtenAsTime = /^(\S+?)(?:\s+|T)(\d{1,2}):(\d{2})$/

/** Parses a typed day, also without leading zeros and with slashes or dots. Null if it is not a valid day. */
export function dayFrom(typed: string): string | null {
  const [, year, month, day] = writtenAsDay.exec(typed.trim()) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : null
}

/**
 * The side of today on which the days of a field are: a follow-up or an end is in the future, an observation or a call in the past. It decides the
 * meaning of a weekday, and of a day without a year.
 */
export type Direction = 'past' | 'future'

/** Parses a typed day and time into the form that `instantIn` accepts: 2026-11-21T14:30. Null if it is not valid. */
export function timeFrom(typed: string): string | null {
  const [, date = '', hour = '', minute = ''] = writtenAsTime.exec(typed.trim()) ?? []
  const day = dayFrom(date)
  if (day === null || Number(hour) > 23 || Number(minute) > 59) return null
  return `${day}T${hour.padStart(2, '0')}:${minute}`
}

/**
 * Instant of a time field, or null if it is not valid. `filledWith`: the instant with which the form filled the field. It is returned unchanged until
 * the field is edited, because the field shows no seconds and cannot tell the two hours of a clock change apart.
 */
export function instantOf(typed: string, zone: string, filledWith: string | null = null): string | null {
  if (filledWith !== null && typed === localTime(filledWith, zone)) return filledWith
  const local = timeFrom(typed)
  return local === null ? null : instantIn(local, zone)
}

/** Parses a typed time, or a day if only the day is known. Null if it is neither. */
export type TypedWhen = { at: string } | { on: string }
export function whenFrom(typed: string): TypedWhen | null {
  const on = dayFrom(typed)
  if (on !== null) return { on }
  const at = timeFrom(typed)
  return at === null ? null : { at }
}

/** Converts a range of days in the tenant's zone, both included, to the instants that the API expects: its start and its end. */
export function instantsOf({ from, to }: { from?: string; to?: string }, zone: string): { from?: string; to?: string } {
  return {
    ...(from === undefined ? {} : { from: startOfDay(from, zone) }),
    ...(to === undefined ? {} : { to: startOfDay(nextDay(to), zone) }),
  }
}
