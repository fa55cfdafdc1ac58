import { Button } from '@mantine/core'
import { useRef } from 'react'
import { sentenceOf } from '../api/api-problem.ts'
import type { Total } from '../api/total.ts'
import { useFocusAfter } from '../focus/use-focus-after.ts'
import { totalWords } from '../text/count-words.ts'
import { formatNumber } from '../text/format.ts'
import classes from './load-more.module.css'

type Props = {
  /** Plural noun of the rows: 'notes'. */
  what: string
  data: { items: unknown[]; total: Total | null }
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => unknown
  /** Announced, but not shown, when the list has at most one row and no further page. Without it, such a list has no footer. */
  few?: string
}

/** Text about the number of rows: '182 notes' if all are loaded, otherwise '1 204 notes · 150 loaded'. */
function loadedWords(what: string, { items, total }: Props['data'], hasNextPage: boolean): string {
  if (items.length === 0) return `No ${what} to show so far`
  const loaded = formatNumber(items.length)
  if (!hasNextPage) return `${loaded} ${what}`
  return total === null || total.counts === 'page'
    ? `${loaded} ${what} loaded`
    : `${totalWords(total, what, what)} · ${loaded} loaded`
}

/** Footer of a list: number of loaded rows and a button for more. An unknown total is omitted. */
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
  // The button disappears with the last page: the focus moves to the status text at the end of the list.
  useFocusAfter(hasNextPage, status)
  const isFew = data.items.length <= 1 && !hasNextPage
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
