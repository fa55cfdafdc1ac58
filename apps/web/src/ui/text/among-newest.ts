import type { Fact } from '@prospect/api-client'
import { formatNumber } from './format.ts'

/** Of how much the counts of a fact's evidence are: ' (among the newest 1,000)', or nothing where they are of all. */
export function amongNewest({ newestCounted }: Pick<Fact, 'newestCounted'>): string {
  return newestCounted === null ? '' : ` (among the newest ${formatNumber(newestCounted)})`
}
