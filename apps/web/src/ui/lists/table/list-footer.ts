import type { Page } from '@prospect/api-client'
import { formatNumber } from '../../text/format.ts'

export type ListCount = {
  total: Page<unknown>['page']['total'] | undefined
  loaded: number
  isFiltered: boolean
  /** The plural noun of the rows. */
  noun: string
  /** There are rows beyond those that are loaded. */
  hasMore: boolean
  status: 'loading' | 'failed' | 'ready'
  /** The rows on screen are older than the last try to refresh them. */
  isStale?: boolean
  isLoadingMore?: boolean
}

/** What the number under a list counts. A count that is loading, failed or unknown says so and is never a zero. */
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
