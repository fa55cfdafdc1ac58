/** A calendar day as the addresses and the filters write it, whatever the browser's language: 2026-11-21. */
import { nextDay, startOfDay } from './zone-time.ts'

/** A day that is in the calendar; `2026-02-30` is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** What a person typed, as a day; also without its zeros, and with strokes or dots. Null: it is none. */
export function dayFrom(typed: string): string | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(typed.trim()) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : null
}

/** How a day, and a time on one, are asked for where what was typed is none. */
export const WRITE_DAY = 'Write it as 2026-11-21.'
export const WRITE_TIME = 'Write it as 2026-11-21 14:30.'

/** What a person typed, as a time on a day, the way `instantIn` takes it: 2026-11-21T14:30. Null: it is none. */
export function timeFrom(typed: string): string | null {
  const [, date = '', hour = '', minute = ''] = /^(\S+?)(?:\s+|T)(\d{1,2}):(\d{2})$/.exec(typed.trim()) ?? []
  const day = dayFrom(date)
  if (day === null || Number(hour) > 23 || Number(minute) > 59) return null
  return `${day}T${hour.padStart(2, '0')}:${minute}`
}

/** Days in the tenant's zone, both included, as the API takes them: the instants at which they begin and end. */
export function instantsOf({ from, to }: { from?: string; to?: string }, zone: string): Record<string, string> {
  return {
    ...(from === undefined ? {} : { from: startOfDay(from, zone) }),
    ...(to === undefined ? {} : { to: startOfDay(nextDay(to), zone) }),
  }
}
