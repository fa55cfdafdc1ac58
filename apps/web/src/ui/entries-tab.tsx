import { Button } from '@mantine/core'
import { IconArrowBackUp, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { DateTime } from './date-time.tsx'
import classes from './entries.module.css'
import { LoadMore } from './load-more.tsx'
import type { pagedQuery } from './paged.ts'
import { Empty, Failed, LoadingLines } from './states.tsx'
import { useDraft } from './use-draft.ts'

type Props<Entry> = {
  query: ReturnType<typeof pagedQuery<Entry>>
  /** "evidence": in sentences about the list. */
  what: string
  /** 'observations': what is counted, where `what` has no plural. */
  counted?: string
  /** The name of the list, with its order. */
  label: string
  /** Null: the person may not add one. */
  add: { label: string; run: () => void; draft: { name: string; parse: (stored: unknown) => unknown } } | null
  /** Null: it is closed. */
  form: ReactNode
  empty: { title: string; text: string }
  item: (entry: Entry) => ReactNode
}

/** What was added to a record and stays: the newest first, with the form for another above it. */
export function EntriesTab<Entry>({ query, what, counted = what, label, add, form, empty, item }: Props<Entry>) {
  const list = useInfiniteQuery(query)
  const addButton = add !== null && form === null && (
    <>
      <LeftUnsaved {...add} />
      <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add.run}>
        {add.label}
      </Button>
    </>
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
          <LoadMore what={counted} {...list} data={list.data} />
        </>
      )}
    </div>
  )
}

/** After a reload the form is closed: that it was begun would be known to nobody. */
function LeftUnsaved({ label, draft }: NonNullable<Props<never>['add']>) {
  const { restored } = useDraft(draft.name, draft.parse)
  if (restored === null) return null
  return (
    <p className={classes.unsaved}>
      You left one unsaved, <DateTime at={restored.savedAt} />. “{label}” brings it back.
    </p>
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

/** In the page as it stands: to go to the address would make of the panel beside a list a page of its own. */
function showInPlace(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.ctrlKey || event.metaKey) return
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.focus()
}

/** Under an entry: what took its place, what it took the place of, and the way to correct it. */
export function EntryChain({ anchor, newer, older, correct }: ChainProps) {
  return (
    <p className={classes.chain}>
      {[newer, older].map(
        ({ id, words }) =>
          id !== null && (
            <a key={id} href={`#${anchor}-${id}`} onClick={showInPlace}>
              {words}
            </a>
          ),
      )}
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
