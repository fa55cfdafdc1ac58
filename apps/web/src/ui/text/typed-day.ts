/**
 * Parsing of typed days and times: 2026-11-27, 27/11/2026, 27 Nov, today, friday, in 3 days, a week ago; optionally followed by a time: 27 Nov 14:30,
 * 27 Nov 2:30 pm.
 */
import type { Locale } from '@prospect/api-client'
import { isMonthFirst } from './date-format.ts'
import { type Direction, dayFrom, timeFrom } from './day.ts'
import { daysBefore } from './zone-time.ts'

export type DayContext = {
  direction: Direction
  /** Today in the workspace's time zone. */
  today: string
  /** Locale of the workspace, which decides between 27/11 and 11/27. */
  locale: Locale
}

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
]
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const relativeDays: Record<string, number> = { today: 0, yesterday: 1, tomorrow: -1 }

/** A day without a year that passed more recently is not moved to the next year: it is more likely a mistake, which the form then shows. */
const RECENT_DAYS = 31

/** The day of a calendar. Without a year it is in the current one; in a field of the future it is in the next one if it passed long ago. */
function inCalendar(
  year: string | undefined,
  month: number,
  day: string,
  { today, direction }: DayContext,
): string | null {
  if (year !== undefined) return dayFrom(`${year}-${month}-${day}`)
  const thisYear = dayFrom(`${today.slice(0, 4)}-${month}-${day}`)
  if (direction === 'past' || (thisYear !== null && thisYear >= daysBefore(today, RECENT_DAYS))) return thisYear
  return dayFrom(`${Number(today.slice(0, 4)) + 1}-${month}-${day}`)
}

function numericDay(typed: string, context: DayContext): string | null {
  const [, first, second, year] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}))?$/.exec(typed) ?? []
  if (first === undefined || second === undefined) return null
  return isMonthFirst(context.locale)
    ? inCalendar(year, Number(first), second, context)
    : inCalendar(year, Number(second), first, context)
}

/** Number of a month by its name or the first letters of it, at least three: nov, sept. 0 if there is none. */
function namedMonth(name: string): number {
  return name.length < 3 ? 0 : months.findIndex((month) => month.startsWith(name)) + 1
}

/** Parses 27 Nov, 27 November 2026, and Nov 27, 2026. */
function wordedDay(typed: string, context: DayContext): string | null {
  const [, dayFirst, monthSecond, yearThird] = /^(\d{1,2})\s+([a-z]+)\.?(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [, monthFirst, daySecond, yearLast] = /^([a-z]+)\.?\s+(\d{1,2})(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [month, day] = [namedMonth(monthSecond ?? monthFirst ?? ''), dayFirst ?? daySecond]
  if (month === 0 || day === undefined) return null
  return inCalendar(yearThird ?? yearLast, month, day, context)
}

/**
 * Parses a weekday. In a field of the past it is the latest one, including today; in a field of the future it is the first one after today.
 * `last friday` and `next friday` have one meaning in both: the nearest one before or after today.
 */
function weekday(typed: string, { today, direction }: DayContext): string | null {
  const [, side, name] = /^(?:(last|next)\s+)?([a-z]{3,})$/.exec(typed) ?? []
  if (name === undefined) return null
  const wanted = weekdays.findIndex((day) => day === name || day.slice(0, 3) === name)
  if (wanted === -1) return null
  const passed = (new Date(`${today}T00:00:00Z`).getUTCDay() - wanted + 7) % 7
  if (side === 'last') return daysBefore(today, passed === 0 ? 7 : passed)
  return daysBefore(today, side === 'next' || direction === 'future' ? passed - 7 : passed)
}

/** Parses a distance from today: in 3 days, in a week, +3, 3 days ago. */
function distance(typed: string, { today }: DayContext): string | null {
  const [, plus] = /^\+(\d{1,3})$/.exec(typed) ?? []
  if (plus !== undefined) return daysBefore(today, -Number(plus))
  const [, ahead, count, unit, ago] = /^(in\s+)?(an?|\d{1,3})\s+(day|week)s?(\s+ago)?$/.exec(typed) ?? []
  if (count === undefined || (ahead === undefined) === (ago === undefined)) return null
  const days = (/\d/.test(count) ? Number(count) : 1) * (unit === 'week' ? 7 : 1)
  return daysBefore(today, ago === undefined ? -days : days)
}

/** Parses a typed day; null if it has none of the supported forms. */
export function readDay(typed: string, context: DayContext): string | null {
  const text = typed.trim().toLowerCase()
  const relative = Object.hasOwn(relativeDays, text) ? relativeDays[text] : undefined
  if (relative !== undefined) return daysBefore(context.today, relative)
  return (
    dayFrom(text) ??
    numericDay(text, context) ??
    wordedDay(text, context) ??
    weekday(text, context) ??
    distance(text, context)
  )
}

/** Parses a clock time to the form 14:30: 14:30, 2:30 pm, 2pm or 2 p.m. Times with am or pm have one meaning, so every locale accepts them. */
function readClock(typed: string): string | null {
  if (/^\d{1,2}:\d{2}$/.test(typed)) return typed
  const [, hour, minute = '00', half] = /^(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\.?$/.exec(typed) ?? []
  if (hour === undefined || Number(hour) < 1 || Number(hour) > 12) return null
  return `${(Number(hour) % 12) + (half === 'p' ? 12 : 0)}:${minute}`
}

/** Parses a typed time to the form 2026-11-27 14:30, or null. */
function readTime(typed: string, context: DayContext): string | null {
  const [, date, time] =
    /^(.+?)(?:,?\s+|t)(\d{1,2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?)$/.exec(typed.trim().toLowerCase()) ?? []
  const day = date === undefined ? null : readDay(date, context)
  const clock = time === undefined ? null : readClock(time)
  const read = day === null || clock === null ? null : timeFrom(`${day} ${clock}`)
  return read === null ? null : read.replace('T', ' ')
}

export type TypedKind = 'day' | 'time' | 'dayOrTime'

/** Parses typed text to the form that API forms expect: 2026-11-27 or 2026-11-27 14:30. Null if it is neither. */
export function readTyped(typed: string, kind: TypedKind, context: DayContext): string | null {
  const day = kind === 'time' ? null : readDay(typed, context)
  return day ?? (kind === 'day' ? null : readTime(typed, context))
}
