import { Button } from '@mantine/core'
import type { Page } from '@prospect/api-client'
import { sentenceOf } from './api-problem.ts'
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
}: Props) {
  const loaded = data.items.length.toLocaleString('en-ZA')
  const isWhole = data.total?.counts === 'matching_set'
  const total = isWhole ? data.total?.value.toLocaleString('en-ZA') : undefined
  if (data.items.length === 0 || (data.items.length === 1 && !hasNextPage)) return null
  return (
    <div className={classes.foot}>
      <span role="status">
        {isFetchNextPageError
          ? `The rest could not be loaded. ${sentenceOf(error)}`
          : hasNextPage
            ? `${loaded}${total === undefined ? '' : ` of ${total}`} ${what} loaded`
            : `All ${loaded} ${what}`}
      </span>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {isFetchNextPageError ? 'Try again' : 'Load more'}
        </Button>
      )}
    </div>
  )
}
