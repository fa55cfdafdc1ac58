/** Reading of stored drafts, which an older version of the form may have written. */

/** Type guards by field. Needed where the initial value does not reveal the type: unions, null, lists of objects. */
export type FieldGuards<Values> = { [Field in keyof Values]?: (stored: unknown) => stored is Values[Field] }

export function oneOf<const Option>(options: readonly Option[]): (stored: unknown) => stored is Option {
  return (stored): stored is Option => options.some((option) => option === stored)
}

/** The stored fields that are valid: they pass their guard, or have the same type as in `initial`. Null if nothing was stored. */
export function draftFields<Values extends object>(
  stored: unknown,
  initial: Values,
  guards: FieldGuards<Values> = {},
): Partial<Values> | null {
  if (typeof stored !== 'object' || stored === null) return null
  const found = new Map<string, unknown>(Object.entries(stored))
  const fields: Partial<Values> = {}
  for (const field in initial) {
    const value = found.get(field)
    const fits = guards[field] ?? sameTypeAs(initial[field])
    if (fits(value)) fields[field] = value
  }
  return fields
}

const sameTypeAs =
  <Value>(example: Value) =>
  (stored: unknown): stored is Value =>
    Array.isArray(example)
      ? Array.isArray(stored) && stored.every((one) => typeof one === 'string')
      : example !== null && typeof stored === typeof example
