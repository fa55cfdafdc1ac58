/** Numbers, times and lists as text, in the locale of the workspace. Times are shown in the tenant's zone, regardless of the browser's. */
import type { Locale } from '@prospect/api-client'
import { dateFormat, datePartsFormat } from './date-format.ts'
import { workspaceLocale } from './locale.ts'
import { nextDay } from './zone-time.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Formats with at most one decimal place: 1 204,5 in South Africa, 1,204.5 in the United States. */
export function formatNumber(value: number): string {
  return formatNumberIn(workspaceLocale(), value)
}

/** Formats points of a score, which are exact to hundredths: 20,25. */
export function formatPoints(points: number): string {
  return formatNumberIn(workspaceLocale(), points, 2)
}

export function formatNumberIn(locale: Locale, value: number, maximumFractionDigits = 1): string {
  return numberFormat(locale, maximumFractionDigits).format(value)
}

/** Parts of a formatted number, from which the marks of the locale are read. */
export function numberPartsIn(locale: Locale, value: number): Intl.NumberFormatPart[] {
  return numberFormat(locale, 1).formatToParts(value)
}

/** Returns a cached formatter, because creating one is slow. */
function numberFormat(locale: Locale, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${locale} ${maximumFractionDigits}`
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, { maximumFractionDigits })
  numberFormats.set(key, format)
  return format
}

/** Joins as 'Name, City and Street'. */
export function listWords(words: readonly string[]): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Formats as 21 Nov 2026, or in the United States as Nov 21, 2026. */
export function formatDate(at: string, zone: string): string {
  return withFullYear(
    dateFormat(workspaceLocale(), zone, 'date', { day: 'numeric', month: 'short', year: 'numeric' }),
    at,
  )
}

/** Formats with at least four digits of the year: 0026 would read as 26, which means 2026. */
function withFullYear(format: Intl.DateTimeFormat, at: string): string {
  const date = new Date(at)
  if (date.getUTCFullYear() > 1_000) return format.format(date)
  return format
    .formatToParts(date)
    .map(({ type, value }) => (type === 'year' ? value.padStart(4, '0') : value))
    .join('')
}

/** Formats a calendar day, which has no time zone: '2026-11-21' becomes '21 Nov 2026'. */
export function formatDay(day: string): string {
  return formatDate(`${day}T00:00:00Z`, 'UTC')
}

/** Formats a calendar day with its weekday: Sat, 21 Nov 2026. */
export function formatWeekday(day: string): string {
  const format = dateFormat(workspaceLocale(), 'UTC', 'weekday', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  return withFullYear(format, `${day}T00:00:00Z`)
}

/** Formats as 1 Nov 2026 to 30 Nov 2026. */
export function formatDays(from: string, to: string): string {
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
}

/** Formats as 21 Nov 2026, 14:05. */
export function formatDateTime(at: string, zone: string): string {
  return formatDateTimeIn(workspaceLocale(), at, zone)
}

export function formatDateTimeIn(locale: Locale, at: string, zone: string): string {
  const format = dateFormat(locale, zone, 'dateTime', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return withFullYear(format, at)
}

/** Formats the value of a field, which has no time zone: '2026-11-21' or '2026-11-21 14:05'. Any other text is returned unchanged. */
export function formatTyped(value: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value)
  return /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(value) ? formatDateTime(`${value.replace(' ', 'T')}Z`, 'UTC') : value
}

/** Formats as Saturday, 21 November 2026 at 14:05:09 GMT+2 (Africa/Johannesburg). */
export function formatExact(at: string, zone: string): string {
  const text = withFullYear(dateFormat(workspaceLocale(), zone, 'exact', { dateStyle: 'full', timeStyle: 'long' }), at)
  return `${text} (${zone})`
}

/** "just now", "5 min ago", "3 h ago", "yesterday", then the date. */
export function formatRelative(at: string, zone: string, now: Date): string {
  const seconds = Math.round((now.getTime() - new Date(at).getTime()) / 1000)
  if (seconds < -60) return formatDateTime(at, zone)
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (dayIn(at, zone) === dayIn(now.toISOString(), zone)) return `${Math.floor(seconds / 3600)} h ago`
  // Compare calendar days: a day on which clocks change does not have 24 hours.
  if (nextDay(dayIn(at, zone)) === dayIn(now.toISOString(), zone)) return 'yesterday'
  return formatDate(at, zone)
}

/** Calendar day of an instant in a zone: 2026-11-21. */
export function dayIn(at: string, zone: string): string {
  const parts = datePartsFormat(zone, 'day', { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(
    new Date(at),
  )
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

const international = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{1,4}?)(\d{3})(\d{4})$/

/**
 * Groups the digits of an international number, so that a person can read and dial it: +27 69 632 2336. Any other text is returned unchanged. The API
 * reads numbers; this only spaces those that it read.
 */
export function phoneText(value: string): string {
  return value.replace(international, '+$1 $2 $3 $4')
}
