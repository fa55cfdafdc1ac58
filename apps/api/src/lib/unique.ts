/** Maximum length of a list whose items are compared pairwise. */
const FEW = 16

/**
 * Removes duplicates and preserves the order. For a few items, comparisons cost less than a Set, because V8 looks up each new text among all interned
 * texts of the program.
 */
export function unique<T>(values: readonly T[]): T[] {
  return values.length > FEW ? [...new Set(values)] : values.filter((value, at) => values.indexOf(value) === at)
}
