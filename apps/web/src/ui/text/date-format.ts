import type { Locale } from '@prospect/api-client'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a cached formatter by locale, name and zone, because creating one is slow. */
export function dateFormat(
  locale: Locale,
  zone: string,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale} ${name} ${zone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  formats.set(key, made)
  return made
}

/** Returns a formatter whose parts are read and never shown, so its locale is the same in every workspace. */
export function datePartsFormat(zone: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return dateFormat('en-GB', zone, name, options)
}

/** True if the browser knows the time zone. */
export function isZone(name: string): boolean {
  try {
    datePartsFormat(name, 'known', {})
    return true
  } catch {
    return false
  }
}

/** True if the locale shows times as 3:30 pm. */
export function isTwelveHour(locale: Locale): boolean {
  return dateFormat(locale, 'UTC', 'hour', { hour: 'numeric' }).resolvedOptions().hour12 === true
}

/** True if short dates of the locale have the month before the day and no year before both. In South Africa (2026/11/27) people type the day first. */
export function isMonthFirst(locale: Locale): boolean {
  const parts = dateFormat(locale, 'UTC', 'short', {}).formatToParts(0)
  return parts.find(({ type }) => type !== 'literal')?.type === 'month'
}
