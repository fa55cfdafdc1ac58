import { Button } from '@mantine/core'
import type { Page } from '@prospect/api-client'
import { useRef } from 'react'
import { sentenceOf } from '../api/api-problem.ts'
import { useFocusAfter } from '../focus/use-focus-after.ts'
import { formatNumber } from '../text/format.ts'
import classes from './load-more.module.css'

type Props = {
  /** 'notes': what is counted. */
  what: string
  data: { items: unknown[]; total: Page<unknown>['page']['total'] }
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => unknown
  /** Told, unseen, where so few are there that nothing is counted. Absent: then the foot is not there either. */
  few?: string
}

/** How much of a list is here. */
function loadedWords(what: string, { items, total }: Props['data'], hasNextPage: boolean): string {
  const loaded = formatNumber(items.length)
  if (!hasNextPage) return `All ${loaded} ${what}`
  return `${loaded}${total?.counts === 'matching_set' ? ` of ${formatNumber(total.value)}` : ''} ${what} loaded`
}

/** The foot of a list: how much of it is here, and the way to the rest. A count that is not known is not made up. */
export function LoadMore({
  what,
  data,
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  error,
  fetchNextPage,
  few,
}: Props) {
  const status = useRef<HTMLSpanElement>(null)
  // The button goes with the last page: the focus stays at the end of the list, where it says so.
  useFocusAfter(hasNextPage, status)
  const isFew = data.items.length === 0 || (data.items.length === 1 && !hasNextPage)
  if (isFew && few === undefined) return null
  return (
    <div className={isFew ? 'pp-visually-hidden' : classes.foot}>
      <span ref={status} role="status" tabIndex={-1}>
        {isFew
          ? few
          : isFetchNextPageError
            ? `Could not load the rest. ${sentenceOf(error)}`
            : loadedWords(what, data, hasNextPage)}
      </span>
      {!isFew && hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {isFetchNextPageError ? 'Try again' : 'Load more'}
        </Button>
      )}
    </div>
  )
}
