/** Parsing of typed days and times: 2026-11-27, 27/11/2026, 27 Nov, today, friday; optionally followed by a time: 27 Nov 14:30, 27 Nov 2:30 pm. */
import type { Locale } from '@prospect/api-client'
import { isMonthFirst } from './date-format.ts'
import { dayFrom, timeFrom } from './day.ts'
import { daysBefore } from './zone-time.ts'

export type DayContext = {
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

function inCalendar(year: string, month: number, day: string): string | null {
  return dayFrom(`${year}-${month}-${day}`)
}

function numericDay(typed: string, { today, locale }: DayContext): string | null {
  const [, first, second, year = today.slice(0, 4)] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}))?$/.exec(typed) ?? []
  if (first === undefined || second === undefined) return null
  return isMonthFirst(locale) ? inCalendar(year, Number(first), second) : inCalendar(year, Number(second), first)
}

/** Number of a month by its name or the first letters of it, at least three: nov, sept. 0 if there is none. */
function namedMonth(name: string): number {
  return name.length < 3 ? 0 : months.findIndex((month) => month.startsWith(name)) + 1
}

/** Parses 27 Nov, 27 November 2026, and Nov 27, 2026. The default is the current year. */
function wordedDay(typed: string, { today }: DayContext): string | null {
  const [, dayFirst, monthSecond, yearThird] = /^(\d{1,2})\s+([a-z]+)\.?(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [, monthFirst, daySecond, yearLast] = /^([a-z]+)\.?\s+(\d{1,2})(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [month, day] = [namedMonth(monthSecond ?? monthFirst ?? ''), dayFirst ?? daySecond]
  if (month === 0 || day === undefined) return null
  return inCalendar(yearThird ?? yearLast ?? today.slice(0, 4), month, day)
}

/** Parses a weekday as its latest occurrence, including today, because users record past events. `next friday` is the first one after today. */
function weekday(typed: string, { today }: DayContext): string | null {
  const [, next, name] = /^(next\s+)?([a-z]{3,})$/.exec(typed) ?? []
  if (name === undefined) return null
  const wanted = weekdays.findIndex((day) => day === name || day.slice(0, 3) === name)
  if (wanted === -1) return null
  const passed = (new Date(`${today}T00:00:00Z`).getUTCDay() - wanted + 7) % 7
  return daysBefore(today, next === undefined ? passed : passed - 7)
}

/** Parses a typed day; null if it has none of the supported forms. */
export function readDay(typed: string, context: DayContext): string | null {
  const text = typed.trim().toLowerCase()
  const relative = Object.hasOwn(relativeDays, text) ? relativeDays[text] : undefined
  if (relative !== undefined) return daysBefore(context.today, relative)
  return dayFrom(text) ?? numericDay(text, context) ?? wordedDay(text, context) ?? weekday(text, context)
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
