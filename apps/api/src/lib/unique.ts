/** Up to here they are compared with each other. */
const FEW = 16

/**
 * Each once, in the order in which they first come. A Set of texts that were just made costs more than comparing a few: V8 looks each of them up
 * among all texts that the program keeps.
 */
export function unique<T>(values: readonly T[]): T[] {
  return values.length > FEW ? [...new Set(values)] : values.filter((value, at) => values.indexOf(value) === at)
}
