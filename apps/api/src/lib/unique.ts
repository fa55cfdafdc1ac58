/** Up to this length, items are compared pairwise. */
const FEW = 16

/**
 * Removes duplicates and preserves order. For a few new texts a Set costs more than comparisons, because V8 looks up each text among all interned
 * texts of the program.
 */
export function unique<T>(values: readonly T[]): T[] {
  return values.length > FEW ? [...new Set(values)] : values.filter((value, at) => values.indexOf(value) === at)
}
