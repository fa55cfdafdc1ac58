/**
 * Parsing of typed days and times: 2026-11-27, 27/11/2026, 27 Nov, today, friday, in 3 days, in two weeks, a week ago, next week, next working day;
 * optionally followed by a time: 27 Nov 14:30, 27 Nov 2:30 pm.
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
const relativeDays: Record<string, number> = { today: 0, yesterday: 1, tomorrow: -1, tmrw: -1 }
/** Words for the counts of a distance. */
const countWords = 'a one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** A day without a year that passed more recently is not moved to the next year: it is more likely a mistake, which the form then shows. */
const RECENT_DAYS = 31

/** Years in which each day of the calendar exists: 29 February can be absent for eight years, around 1900 and 2100. */
const YEARS_OF_EVERY_DAY = 8

/**
 * The day of a calendar. Without a year it is in the current one. In a field of the future it is in the next year that has the day, if the day of the
 * current year passed long ago or does not exist.
 */
function inCalendar(
  year: string | undefined,
  month: number,
  day: string,
  { today, direction }: DayContext,
): string | null {
  if (year !== undefined) return dayFrom(`${year}-${month}-${day}`)
  const thisYear = dayFrom(`${today.slice(0, 4)}-${month}-${day}`)
  if (direction === 'past' || (thisYear !== null && thisYear >= daysBefore(today, RECENT_DAYS))) return thisYear
  for (let later = 1; later <= YEARS_OF_EVERY_DAY; later++) {
    const next = dayFrom(`${Number(today.slice(0, 4)) + later}-${month}-${day}`)
    if (next !== null) return next
  }
  return null
}

function numericDay(typed: string, context: DayContext): string | null {
  const [, first, second, year] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}))?$/.exec(typed) ?? []
  if (first === undefined || second === undefined) return null
  return isMonthFirst(context.locale)
    ? inCalendar(year, Number(first), second, context)
    : inCalendar(year, Number(second), first, context)
}

/** Index of the name that equals the text or begins with it, from three letters: nov, sept, thurs. -1 if there is none. */
function indexOfName(names: readonly string[], typed: string): number {
  return typed.length < 3 ? -1 : names.findIndex((name) => name.startsWith(typed))
}

/** Parses 27 Nov, 27 November 2026, and Nov 27, 2026. */
function wordedDay(typed: string, context: DayContext): string | null {
  const [, dayFirst, monthSecond, yearThird] = /^(\d{1,2})\s+([a-z]+)\.?(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [, monthFirst, daySecond, yearLast] = /^([a-z]+)\.?\s+(\d{1,2})(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [month, day] = [indexOfName(months, monthSecond ?? monthFirst ?? '') + 1, dayFirst ?? daySecond]
  if (month === 0 || day === undefined) return null
  return inCalendar(yearThird ?? yearLast, month, day, context)
}

/**
 * Parses a weekday. In a field of the past it is the latest one, including today; in a field of the future it is the first one after today.
 * `last friday` and `next friday` have one meaning in both: the nearest one before or after today. `this friday` is the one of today or of the next
 * six days.
 */
function weekday(typed: string, { today, direction }: DayContext): string | null {
  const [, side, name] = /^(?:(last|this|next)\s+)?([a-z]{3,})\.?$/.exec(typed) ?? []
  if (name === undefined) return null
  // The only common short form that is not the beginning of its weekday.
  const wanted = indexOfName(weekdays, name === 'weds' ? 'wed' : name)
  if (wanted === -1) return null
  const passed = (dayOfWeek(today) - wanted + 7) % 7
  if (side === 'this') return daysBefore(today, passed === 0 ? 0 : passed - 7)
  if (side === 'last') return daysBefore(today, passed === 0 ? 7 : passed)
  return daysBefore(today, side === 'next' || direction === 'future' ? passed - 7 : passed)
}

/** Parses a distance from today: in 3 days, in two weeks, +3, 3 days ago. In a field of the future, `2 weeks` is `in 2 weeks`. */
function distance(typed: string, { today, direction }: DayContext): string | null {
  const [, plus] = /^\+(\d{1,3})$/.exec(typed) ?? []
  if (plus !== undefined) return daysBefore(today, -Number(plus))
  const [, ahead, typedCount, unit, ago] = /^(in\s+)?([a-z]+|\d{1,3})\s+(day|week)s?(\s+ago)?$/.exec(typed) ?? []
  const count = typedCount === undefined ? -1 : countOf(typedCount)
  if (count < 0 || (ahead !== undefined && ago !== undefined)) return null
  if (ahead === undefined && ago === undefined && direction === 'past') return null
  const days = count * (unit === 'week' ? 7 : 1)
  return daysBefore(today, ago === undefined ? -days : days)
}

/** The number that a count denotes: 3, three, a. -1 if it denotes none. */
function countOf(typed: string): number {
  if (/\d/.test(typed)) return Number(typed)
  const word = countWords.indexOf(typed)
  return word === 0 ? 1 : word
}

const SUNDAY = 0
const SATURDAY = 6
const dayOfWeek = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

/** The first day after this one that is neither a Saturday nor a Sunday. Public holidays count as working days. */
export function nextWorkingDay(today: string): string {
  let day = daysBefore(today, -1)
  while (dayOfWeek(day) === SATURDAY || dayOfWeek(day) === SUNDAY) day = daysBefore(day, -1)
  return day
}

/** Monday of the week of a day. A week begins on Monday. */
export const mondayOf = (day: string): string => daysBefore(day, (dayOfWeek(day) + 6) % 7)

/** Parses a coming day that is named relative to the week. `next week` is the Monday of the next week. */
function inComingWeek(typed: string, { today }: DayContext): string | null {
  if (/^(the\s+)?next\s+(working|business)\s+day$/.test(typed)) return nextWorkingDay(today)
  return /^next\s+week$/.test(typed) ? daysBefore(mondayOf(today), -7) : null
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
    distance(text, context) ??
    inComingWeek(text, context)
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
