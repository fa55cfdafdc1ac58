/** The fields of `values` that differ from `base`. A draft stores only these, so restoring it does not overwrite fields that others have changed. */
export function changedFields<Fields extends object>(base: Fields, values: Partial<Fields>): Partial<Fields> {
  const changed: Partial<Fields> = {}
  for (const field in values) if (!isSame(values[field], base[field])) changed[field] = values[field]
  return changed
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
