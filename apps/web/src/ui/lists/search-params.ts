/** Strict parsing of search parameters: invalid values are dropped. */
import { isDay } from '../text/day.ts'

/** Parses the search part of an address without JSON: each value is a text, or a list of texts for a repeated key. */
export function readSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(params.keys())].map((key) => {
      const values = params.getAll(key)
      return [key, values.length === 1 ? values.join('') : values]
    }),
  )
}

/** The inverse of `readSearch`. Writes `doNotContact=false`; the router's default would quote texts that look like JSON. */
export function writeSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) params.append(key, String(one))
  return params.size === 0 ? '' : `?${String(params).replace(/%(3A|2C|3B)/g, decodeURIComponent)}`
}

/** Removes undefined values, so that they do not appear in an address. */
export function withoutUndefined<T extends object>(values: { [Key in keyof T]: T[Key] | undefined }): Partial<T> {
  const found: Partial<T> = {}
  for (const key in values) {
    const value = values[key]
    if (value !== undefined) found[key] = value
  }
  return found
}

export function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((candidate) => candidate === value)
}

/** Returns the value if it has the form of an id. */
export function idFrom(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined
}

const maxLength = 200

/** Parses the filters of a list of events: texts, and days as `from` and `to`. */
export function parseFilters<Key extends string>(
  search: Record<string, unknown>,
  keys: readonly Key[],
): Partial<Record<Key, string>> {
  const result: Partial<Record<Key, string>> = {}
  for (const key of keys) {
    const value = search[key]
    if (typeof value !== 'string' || value === '' || value.length > maxLength) continue
    if ((key === 'from' || key === 'to') && !isDay(value)) continue
    result[key] = value
  }
  return result
}
