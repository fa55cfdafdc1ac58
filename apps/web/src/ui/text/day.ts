/** A calendar day as the addresses and the filters write it, whatever the browser's language: 2026-11-21. */
import { nextDay, startOfDay } from './zone-time.ts'

/** A day that is in the calendar; `2026-02-30` is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

const writtenAsDay = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const writtenAsTime = /^(\S+?)(?:\s+|T)(\d{1,2}):(\d{2})$/

/** What a person typed, as a day; also without its zeros, and with strokes or dots. Null: it is none. */
export function dayFrom(typed: string): string | null {
  const [, year, month, day] = writtenAsDay.exec(typed.trim()) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : null
}

const NO_DAY = 'This date does not exist.'

/** What is said of what was typed and is no day: how to write it, where that is what is wrong. */
export function notADay(typed: string): string {
  return writtenAsDay.test(typed.trim()) ? NO_DAY : 'Enter a date, such as 2026-11-21, 21 Nov or yesterday.'
}

const dateOf = (typed: string) => writtenAsTime.exec(typed.trim())?.[1] ?? ''
const isWrittenAsTime = (typed: string) => writtenAsDay.test(dateOf(typed))

/** The same of a time on a day. */
export function notATime(typed: string): string {
  if (!isWrittenAsTime(typed)) return 'Enter a date and time, such as 2026-11-21 14:30.'
  return dayFrom(dateOf(typed)) === null ? NO_DAY : 'This time does not exist. A day ends at 23:59.'
}

/** What a person typed, as a time on a day, the way `instantIn` takes it: 2026-11-21T14:30. Null: it is none. */
export function timeFrom(typed: string): string | null {
  const [, date = '', hour = '', minute = ''] = writtenAsTime.exec(typed.trim()) ?? []
  const day = dayFrom(date)
  if (day === null || Number(hour) > 23 || Number(minute) > 59) return null
  return `${day}T${hour.padStart(2, '0')}:${minute}`
}

/** What a person typed of when something was: a time, or a day where that is all that is known. Null: it is neither. */
export type TypedWhen = { at: string } | { on: string }
export function whenFrom(typed: string): TypedWhen | null {
  const on = dayFrom(typed)
  if (on !== null) return { on }
  const at = timeFrom(typed)
  return at === null ? null : { at }
}

/** What is said of what was typed and is neither. */
export function notAWhen(typed: string): string {
  if (writtenAsDay.test(typed.trim())) return NO_DAY
  return isWrittenAsTime(typed)
    ? notATime(typed)
    : 'Enter a date, such as 2026-11-21, or with a time: 2026-11-21 14:30.'
}

/** Days in the tenant's zone, both included, as the API takes them: the instants at which they begin and end. */
export function instantsOf({ from, to }: { from?: string; to?: string }, zone: string): { from?: string; to?: string } {
  return {
    ...(from === undefined ? {} : { from: startOfDay(from, zone) }),
    ...(to === undefined ? {} : { to: startOfDay(nextDay(to), zone) }),
  }
}
