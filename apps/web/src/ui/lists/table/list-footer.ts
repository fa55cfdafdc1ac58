import type { Total } from '../../api/total.ts'
import { type Nouns, totalWords } from '../../text/count-words.ts'
import { formatNumber } from '../../text/format.ts'
import { sentenceCase } from '../../text/sentence-case.ts'

export type ListCount = {
  total: Total | null | undefined
  loaded: number
  isFiltered: boolean
  nouns: Nouns
  /** True if more rows exist than are loaded. */
  hasMore: boolean
  status: 'loading' | 'failed' | 'ready'
  /** True if the last refresh failed, so the rows are outdated. */
  isStale?: boolean
  isLoadingMore?: boolean
}

/**
 * Text about the count below a list: '182 entries' if all rows are loaded, otherwise '1 204 prospects · 150 loaded'. A loading, failed or unknown count
 * is named as such and never shown as zero.
 */
export function footerText(count: ListCount): string {
  if (count.status === 'loading') return 'Counting'
  if (count.status === 'failed') return 'Could not load the count'
  const { loaded, hasMore } = count
  const total = countedOf(count)
  const parts = [totalText(total, count)]
  if (hasMore || total?.value !== loaded) parts.push(`${formatNumber(loaded)} loaded`)
  if (count.isLoadingMore === true) parts.push('loading more')
  if (count.isStale === true) parts.push('could not refresh')
  return parts.join(' · ')
}

/** Total of the list. Without a complete count, the rows of a completely loaded list are its total. */
function countedOf({ total, loaded, hasMore }: ListCount): Pick<Total, 'value' | 'counts'> | null {
  if (!hasMore && total?.counts !== 'matching_set') return { value: loaded, counts: 'matching_set' }
  return total ?? null
}

function totalText(total: Pick<Total, 'value' | 'counts'> | null, { isFiltered, nouns }: ListCount): string {
  if (total === null) return 'Not counted'
  if (total.counts === 'page') return 'Total unknown'
  return sentenceCase(isFiltered ? totalWords(total, 'matches', 'match') : totalWords(total, nouns.one, nouns.many))
}
