import type { Total } from '../api/total.ts'
import { formatNumber } from './format.ts'

/** Singular and plural noun of the rows of a list. */
export type Nouns = { one: string; many: string }

/** The noun or phrase for a count that is not shown. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

/** Formats as '1 prospect', '1 204 prospects', '0 prospects'. */
export function countWords(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${plural(count, one, many)}`
}

type Counted = Pick<Total, 'value' | 'counts'>

/** Formats as '182', or as 'more than 10 000' if the rows were not counted to the end. */
export function totalNumber({ value, counts }: Counted): string {
  return counts === 'more_than' ? `more than ${formatNumber(value)}` : formatNumber(value)
}

/** Formats as '182 entries', or as 'more than 10 000 entries'. */
export function totalWords(total: Counted, one: string, many: string): string {
  return total.counts === 'more_than' ? `${totalNumber(total)} ${many}` : countWords(total.value, one, many)
}
