/** Choices of the workspace's locale, each with an example. */
import type { Locale } from '@prospect/api-client'
import { countryName } from './countries.ts'
import { formatDateTimeIn, formatNumberIn } from './format.ts'

/** Every locale of the API; the type requires each. */
const known: Record<Locale, true> = {
  'en-AU': true,
  'en-BW': true,
  'en-DE': true,
  'en-GB': true,
  'en-IE': true,
  'en-IN': true,
  'en-KE': true,
  'en-NA': true,
  'en-NG': true,
  'en-NL': true,
  'en-NZ': true,
  'en-US': true,
  'en-ZA': true,
}

export function isLocale(text: string): text is Locale {
  return Object.hasOwn(known, text)
}

export const knownLocales: readonly Locale[] = Object.keys(known).filter(isLocale)

/** Describes as 'United States: Nov 5, 2026, 02:05 PM · 1,204.5'. */
export function localeWords(locale: Locale): string {
  const example = [formatDateTimeIn(locale, '2026-11-05T14:05:00Z', 'UTC'), formatNumberIn(locale, 1204.5)]
  return `${countryName(locale.slice(3))}: ${example.join(' · ')}`
}

export function localeOptions(): { value: Locale; label: string }[] {
  const options = knownLocales.map((value) => ({ value, label: localeWords(value) }))
  return options.sort((a, b) => a.label.localeCompare(b.label, 'en'))
}
