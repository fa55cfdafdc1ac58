import { Button } from '@mantine/core'
import { IconArrowBackUp, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import classes from './entries.module.css'
import { LoadMore } from './load-more.tsx'
import type { pagedQuery } from './paged.ts'
import { Empty, Failed, LoadingLines } from './states.tsx'

type Props<Entry> = {
  query: ReturnType<typeof pagedQuery<Entry>>
  /** "evidence": in sentences about the list. */
  what: string
  /** The name of the list, with its order. */
  label: string
  /** Null: the person may not add one. */
  add: { label: string; run: () => void } | null
  /** Null: it is closed. */
  form: ReactNode
  empty: { title: string; text: string }
  item: (entry: Entry) => ReactNode
}

/** What was added to a record and stays: the newest first, with the form for another above it. */
export function EntriesTab<Entry>({ query, what, label, add, form, empty, item }: Props<Entry>) {
  const list = useInfiniteQuery(query)
  const addButton = add !== null && form === null && (
    <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add.run}>
      {add.label}
    </Button>
  )
  return (
    <div className={classes.tab}>
      {form}
      {list.isPending && <LoadingLines />}
      {list.isError && !list.data && (
        <Failed error={list.error} retry={() => void list.refetch()} what={`the ${what}`} />
      )}
      {list.data?.items.length === 0 && form === null && (
        <Empty title={empty.title} action={addButton}>
          {empty.text}
        </Empty>
      )}
      {list.data && list.data.items.length > 0 && (
        <>
          <div className={classes.head}>{addButton}</div>
          <ol className={classes.list} aria-label={label}>
            {list.data.items.map(item)}
          </ol>
          <LoadMore what={what} {...list} data={list.data} />
        </>
      )}
    </div>
  )
}

type ChainProps = {
  /** With an id behind it, where in the list the other entry stands. */
  anchor: string
  newer: { id: string | null; words: string }
  older: { id: string | null; words: string }
  /** Null: the person may not. Only what nothing newer stands for is corrected. */
  correct: (() => void) | null
}

/** Under an entry: what took its place, what it took the place of, and the way to correct it. */
export function EntryChain({ anchor, newer, older, correct }: ChainProps) {
  return (
    <p className={classes.chain}>
      {newer.id !== null && <a href={`#${anchor}-${newer.id}`}>{newer.words}</a>}
      {older.id !== null && <a href={`#${anchor}-${older.id}`}>{older.words}</a>}
      {newer.id === null && correct !== null && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconArrowBackUp size={13} />}
          onClick={correct}
        >
          Correct this
        </Button>
      )}
    </p>
  )
}
