import type { FilterInput } from '@prospect/api-client'

/**
 * Returns the conditions without one value. A condition that has no value left is removed. The words of removed values are in another file
 * (`removed-values.ts`), because they load with their notice.
 */
export function withoutValue(
  conditions: FilterInput,
  { field, value }: { field: string; value: string | null },
): FilterInput {
  return conditions.flatMap((condition): FilterInput => {
    if (condition.field !== field) return [condition]
    const values = condition.values.filter((one) => one !== value)
    if (values.length === condition.values.length) return [condition]
    return values.length === 0 ? [] : [{ ...condition, values } as FilterInput[number]]
  })
}
