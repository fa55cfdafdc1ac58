/** Days and times as people type them: 2026-11-27, 27/11/2026, 27 Nov, today, friday; with a time behind: 27 Nov 14:30. */
import { dayFrom, timeFrom } from './day.ts'
import { daysBefore } from './zone-time.ts'

export type DayContext = {
  /** In the zone of the workspace. */
  today: string
  /** The country of the workspace: decides between 27/11 and 11/27. */
  country: string | null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const fullMonths = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
]
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const relativeDays: Record<string, number> = { today: 0, yesterday: 1, tomorrow: -1 }

/** Some locales write the year first in numbers (en-ZA) and still the day before the month where it comes last. */
function isMonthFirst(country: string | null): boolean {
  const parts = new Intl.DateTimeFormat(country === null ? 'en-GB' : `en-${country}`).formatToParts(0)
  return parts.find(({ type }) => type !== 'literal')?.type === 'month'
}

function inCalendar(year: string, month: number, day: string): string | null {
  return dayFrom(`${year}-${month}-${day}`)
}

function numericDay(typed: string, { today, country }: DayContext): string | null {
  const [, first, second, year = today.slice(0, 4)] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}))?$/.exec(typed) ?? []
  if (first === undefined || second === undefined) return null
  return isMonthFirst(country) ? inCalendar(year, Number(first), second) : inCalendar(year, Number(second), first)
}

function namedMonth(name: string): number {
  const short = months.indexOf(name)
  return (short === -1 ? fullMonths.indexOf(name) : short) + 1
}

/** 27 Nov, 27 November 2026, Nov 27, 2026. Without a year, the current one. */
function wordedDay(typed: string, { today }: DayContext): string | null {
  const [, dayFirst, monthSecond, yearThird] = /^(\d{1,2})\s+([a-z]+)\.?(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [, monthFirst, daySecond, yearLast] = /^([a-z]+)\.?\s+(\d{1,2})(?:,?\s+(\d{4}))?$/.exec(typed) ?? []
  const [month, day] = [namedMonth(monthSecond ?? monthFirst ?? ''), dayFirst ?? daySecond]
  if (month === 0 || day === undefined) return null
  return inCalendar(yearThird ?? yearLast ?? today.slice(0, 4), month, day)
}

/** The latest day of this name, today included: what people record is over. `next friday` is the one after today. */
function weekday(typed: string, { today }: DayContext): string | null {
  const [, next, name] = /^(next\s+)?([a-z]{3,})$/.exec(typed) ?? []
  if (name === undefined) return null
  const wanted = weekdays.findIndex((day) => day === name || day.slice(0, 3) === name)
  if (wanted === -1) return null
  const passed = (new Date(`${today}T00:00:00Z`).getUTCDay() - wanted + 7) % 7
  return daysBefore(today, next === undefined ? passed : passed - 7)
}

/** Null: not a day in any of these forms. */
export function readDay(typed: string, context: DayContext): string | null {
  const text = typed.trim().toLowerCase()
  const relative = Object.hasOwn(relativeDays, text) ? relativeDays[text] : undefined
  if (relative !== undefined) return daysBefore(context.today, relative)
  return dayFrom(text) ?? numericDay(text, context) ?? wordedDay(text, context) ?? weekday(text, context)
}

/** As 2026-11-27 14:30, or null. */
function readTime(typed: string, context: DayContext): string | null {
  const [, date, time] = /^(.+?)(?:\s+|t)(\d{1,2}:\d{2})$/.exec(typed.trim().toLowerCase()) ?? []
  const day = date === undefined ? null : readDay(date, context)
  const read = day === null ? null : timeFrom(`${day} ${time}`)
  return read === null ? null : read.replace('T', ' ')
}

export type TypedKind = 'day' | 'time' | 'dayOrTime'

/** The typed text as the API's forms read it: 2026-11-27 or 2026-11-27 14:30. Null: it is neither. */
export function readTyped(typed: string, kind: TypedKind, context: DayContext): string | null {
  const day = kind === 'time' ? null : readDay(typed, context)
  return day ?? (kind === 'day' ? null : readTime(typed, context))
}
