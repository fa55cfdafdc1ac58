/** Country names for menus and for stored codes. Pure functions; the names come from the browser. */
import type { PhoneCountries } from '@prospect/api-client'

export type CountryOption = { value: string; label: string }

/** Options for a menu, sorted by name. `held`: the selected country, which stays selectable while the list loads or if the list lacks it. */
export function countryOptions(countries: PhoneCountries['countries'], held: string | null): CountryOption[] {
  const options = countries.map(({ code, callingCode }) => ({
    value: code,
    label: `${countryName(code)} +${callingCode}`,
  }))
  if (held !== null && !countries.some(({ code }) => code === held)) {
    options.push({ value: held, label: countryName(held) })
  }
  return options.sort((a, b) => a.label.localeCompare(b.label, 'en'))
}

const regionNames = new Intl.DisplayNames('en', { type: 'region' })

/** 'ZA' becomes 'South Africa'; text that is not a country code is returned unchanged. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regionNames.of(code) ?? code) : code
}

/** Options that match the typed text: the exact code first, then names that start with it, then any part of a name or calling code. */
export function findCountries(options: readonly CountryOption[], typed: string): CountryOption[] {
  const wanted = folded(typed)
  const ranks = options.map((option) => ({ option, rank: rankOf(option, wanted) }))
  return ranks
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option)
}

const NO_MATCH = 3

function rankOf({ value, label }: CountryOption, wanted: string): number {
  if (value.toLowerCase() === wanted) return 0
  const name = folded(label)
  if (name.startsWith(wanted)) return 1
  return name.includes(wanted) ? 2 : NO_MATCH
}

/** Lower case, without accents. */
function folded(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
