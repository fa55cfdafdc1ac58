import type { Page } from '@prospect/api-client'

/** Number of rows of a list, and whether it is exact. */
export type Total = NonNullable<Page<unknown>['page']['total']>

/** Returns a total after rows were added or removed. A total that is not exact stays as it is. */
export function totalAfter<T extends Total | null | undefined>(total: T, change: number): T {
  if (total?.counts !== 'matching_set') return total
  return { ...total, value: Math.max(0, total.value + change) }
}
