import { formatNumber } from './format.ts'

/** Formats as '1 prospect', '1 204 prospects', '0 prospects'. */
export function countWords(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
