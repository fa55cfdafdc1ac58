import type { ComponentProps, ReactNode } from 'react'
import { NotLoaded, type Read } from '../layout/not-loaded.tsx'
import { FilteredToNothing } from '../layout/states.tsx'
import { LoadMore } from './load-more.tsx'

type Foot = ComponentProps<typeof LoadMore>
type Props<Row> = {
  /** Query of the list. */
  list: Omit<Foot, 'what' | 'data'> & Read
  /** Loaded data; undefined if nothing was ever loaded. */
  data: (Foot['data'] & { items: Row[] }) | undefined
  /** Plural noun of the rows: 'events'. */
  noun: string
  /** Name of the list if it differs from its rows: 'the audit log'. */
  what?: string
  /** Number of skeleton lines while it loads. */
  lines?: number
  /** Clears the filters; null if there are none. */
  clear?: (() => void) | null
  /** Notice for a list that is empty without filters. */
  empty: ReactNode
  /** Replaces the notice for filters without a match; `words` are announced. */
  noMatch?: { words: string; notice: ReactNode } | undefined
  children: (items: Row[]) => ReactNode
}

/** A list that loads more pages with a button: its loading, failed, empty or loaded state. */
export function ListBody<Row>(props: Props<Row>) {
  const { list, data, noun, clear = null, noMatch } = props
  const noneText = noMatch?.words ?? `0 ${noun} match`
  const few =
    data === undefined || clear === null || list.hasNextPage ? '' : data.items.length === 0 ? noneText : 'One found'
  return (
    <>
      <Rows {...props} />
      {/* Stays mounted while the rows change: screen readers announce changes only in an existing live region. */}
      <LoadMore what={noun} {...list} data={data ?? emptyData} few={few} />
    </>
  )
}

const emptyData = { items: [], total: null }

function Rows<Row>(props: Props<Row>) {
  const { list, data, noun, what = `the ${noun}`, lines = 8, clear = null, empty, noMatch, children } = props
  // After a failed refresh the data is still there and stays on screen.
  if (data === undefined) return <NotLoaded read={list} lines={lines} what={what} />
  // A page can be empty although more follow: the server read as many rows as it may, and all of them are hidden from this user.
  if (data.items.length === 0 && list.hasNextPage) return null
  if (data.items.length === 0)
    return clear === null ? empty : (noMatch?.notice ?? <FilteredToNothing what={noun} clear={clear} />)
  return children(data.items)
}
