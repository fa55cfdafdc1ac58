import type { Fact } from '@prospect/api-client'
import { formatNumber } from './format.ts'

/** Suffix ' (among the newest 1,000)' if the counts of a fact cover only its newest evidence; empty if they cover all. */
export function amongNewest({ newestCounted }: Pick<Fact, 'newestCounted'>): string {
  return newestCounted === null ? '' : ` (among the newest ${formatNumber(newestCounted)})`
}
