import type { ComponentProps, ReactNode } from 'react'
import { NotLoaded, type Read } from '../layout/not-loaded.tsx'
import { FilteredToNothing } from '../layout/states.tsx'
import { LoadMore } from './load-more.tsx'

type Foot = ComponentProps<typeof LoadMore>
type Props<Row> = {
  /** The query that reads it. */
  list: Omit<Foot, 'what' | 'data'> & Read
  /** What of it is loaded; undefined: nothing was ever read. */
  data: (Foot['data'] & { items: Row[] }) | undefined
  /** 'events': what its rows are. */
  noun: string
  /** 'the audit log', where it is not called by its rows. */
  what?: string
  /** Lines that stand for it while it is read. */
  lines?: number
  /** Takes its filters away; null: there are none. */
  clear?: (() => void) | null
  /** What stands there where nothing is filtered and there are no rows. */
  empty: ReactNode
  /** Replaces the notice for filters without a match, and the words that announce it. */
  noMatch?: { words: string; notice: ReactNode } | undefined
  children: (items: Row[]) => ReactNode
}

/** A list that is loaded page by page on a button, as it stands: being read, not to be had, empty, or its rows with the way to more. */
export function ListBody<Row>(props: Props<Row>) {
  const { list, data, noun, clear = null, noMatch } = props
  const none = noMatch?.words ?? `0 ${noun} match`
  const few = data === undefined || clear === null ? '' : data.items.length === 0 ? none : 'One found'
  return (
    <>
      <Rows {...props} />
      {/* Stays while the rows come and go: a screen reader is told only of what changes in a place that it knows. */}
      <LoadMore what={noun} {...list} data={data ?? nothing} few={few} />
    </>
  )
}

const nothing = { items: [], total: null }

function Rows<Row>(props: Props<Row>) {
  const { list, data, noun, what = `the ${noun}`, lines = 8, clear = null, empty, noMatch, children } = props
  // Not where a refresh failed: what was read stays.
  if (data === undefined) return <NotLoaded read={list} lines={lines} what={what} />
  if (data.items.length === 0)
    return clear === null ? empty : (noMatch?.notice ?? <FilteredToNothing what={noun} clear={clear} />)
  return children(data.items)
}
