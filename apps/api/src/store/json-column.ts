import type { JsonObject } from '../lib/json.ts'

/**
 * Returns a function that parses a JSON column and validates it with `schema`. It throws the schema's error for a rejected value, because only a
 * fault of this program could have stored it.
 *
 * const readFigures = jsonColumn(z.array(figureSchema))
 */
export function jsonColumn<T>(schema: { parse(value: unknown): T }): (text: string) => T {
  return (text) => schema.parse(JSON.parse(text))
}

/** Parses and validates a list of texts without the schema library, which worker threads must not load. */
export const readTexts: (text: string) => string[] = jsonColumn({
  parse: (value) => {
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
    throw new TypeError('A stored list of texts is not one.')
  },
})

/** Parses an object. Its properties are not validated: they belong to the kind of job, which validates its input by its own schema. */
export const readObject: (text: string) => JsonObject = jsonColumn({
  parse: (value) => {
    if (isObject(value)) return value
    throw new TypeError('A stored object is not one.')
  },
})

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses an object of numbers into a map by name, without the schema library. */
export const readNumbers: (text: string) => Map<string, number> = jsonColumn({
  parse: (value) => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return new Map(
      entries.map(([name, number]) => {
        if (typeof number === 'number') return [name, number]
        throw new TypeError('A stored number is not one.')
      }),
    )
  },
})
