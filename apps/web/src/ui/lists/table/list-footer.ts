import type { Page } from '@prospect/api-client'
import { formatNumber } from '../../text/format.ts'

export type ListCount = {
  total: Page<unknown>['page']['total'] | undefined
  loaded: number
  isFiltered: boolean
  /** Plural noun for the rows. */
  noun: string
  /** True if more rows exist than are loaded. */
  hasMore: boolean
  status: 'loading' | 'failed' | 'ready'
  /** True if the last refresh failed, so the rows are outdated. */
  isStale?: boolean
  isLoadingMore?: boolean
}

/** Text about the count below a list. A loading, failed or unknown count is named as such and never shown as zero. */
export function footerText(count: ListCount): string {
  if (count.status === 'loading') return 'Counting'
  if (count.status === 'failed') return 'Could not load the count'
  const parts = [totalText(count), `${formatNumber(count.loaded)} loaded`]
  if (count.isLoadingMore === true) parts.push('loading more')
  if (count.isStale === true) parts.push('could not refresh')
  return parts.join(' · ')
}

function totalText({ total, loaded, isFiltered, noun, hasMore }: ListCount): string {
  if (!hasMore && total?.counts !== 'matching_set') return countText(loaded, isFiltered, noun)
  if (total === null || total === undefined) return 'Too many to count'
  if (total.counts === 'page') return 'Total unknown'
  return countText(total.value, isFiltered, noun)
}

const countText = (count: number, isFiltered: boolean, noun: string) =>
  `${formatNumber(count)} ${isFiltered ? 'match' : noun}`
