import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import type { pagedQuery } from '../api/page-queries.ts'
import { useDraft } from '../forms/use-draft.ts'
import { Empty } from '../layout/states.tsx'
import { ListBody } from '../lists/list-body.tsx'
import { DateTime } from '../text/date-time.tsx'
import classes from './entries.module.css'

/** The fields of an entry as a form stored them. */
const parseDraft = (stored: unknown) => (typeof stored === 'object' ? stored : null)

/** What an entry needs of the list that it stands in. */
export type EntriesList = {
  /** 'evidence' of the address `#evidence-…` */
  anchor: string
  /** Gives another entry the focus, and reads on until it is there. */
  show: (id: string) => void
  /** One is being written or corrected above the list. */
  isWriting: boolean
}

type Props<Entry> = {
  query: ReturnType<typeof pagedQuery<Entry>>
  /** The id of an entry's element is this, a hyphen and the entry's own. */
  anchor: string
  /** "evidence": in sentences about the list. */
  what: string
  /** 'observations': what is counted, where `what` has no plural. */
  counted?: string
  /** The name of the list, with its order. */
  label: string
  /** The button of the action that adds one, and its label. Null: the person may not add one. */
  add: { button: ReactNode; label: string; draftName: string } | null
  /** Null: it is closed. */
  form: ReactNode
  empty: { title: string; text: string }
  item: (entry: Entry, list: EntriesList) => ReactNode
}

/** What was added to a record and stays: the newest first, with the form for another above it. */
export function EntriesTab<Entry extends { id: string }>(props: Props<Entry>) {
  const { query, anchor, what, counted = what, label, add, form, empty, item } = props
  const list = useInfiniteQuery(query)
  const [wanted, setWanted] = useState<string | null>(null)
  const { data } = list

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is wanted may come with the next page
  useEffect(() => {
    const element = wanted === null ? null : document.getElementById(`${anchor}-${wanted}`)
    if (element === null) return
    element.focus()
    setWanted(null)
  }, [wanted, anchor, data])

  const show = async (id: string) => {
    setWanted(id)
    let read: Pick<typeof list, 'data' | 'hasNextPage' | 'isFetchNextPageError'> = list
    while (read.hasNextPage && !read.data?.items.some((one) => one.id === id)) {
      read = await list.fetchNextPage()
      // The foot of the list says what failed.
      if (read.isFetchNextPageError) return setWanted(null)
    }
  }
  const entries = { anchor, show: (id: string) => void show(id), isWriting: form !== null }
  const addButton = add !== null && form === null && (
    <>
      <LeftUnsaved {...add} />
      {add.button}
    </>
  )
  return (
    <div className={classes.tab}>
      {form}
      <ListBody
        list={list}
        data={list.data}
        noun={counted}
        what={`the ${what}`}
        lines={6}
        empty={
          form === null && (
            <Empty title={empty.title} action={addButton}>
              {empty.text}
            </Empty>
          )
        }
      >
        {(items) => (
          <>
            <div className={classes.head}>{addButton}</div>
            <ol aria-label={label}>{items.map((one) => item(one, entries))}</ol>
          </>
        )}
      </ListBody>
    </div>
  )
}

/** After a reload the form is closed; only this shows that it has a draft. */
function LeftUnsaved({ label, draftName }: NonNullable<Props<never>['add']>) {
  const { restored } = useDraft(draftName, parseDraft)
  if (restored === null) return null
  return (
    <p className={classes.unsaved}>
      Unsaved draft, <DateTime at={restored.savedAt} />. “{label}” restores it.
    </p>
  )
}

type ChainProps = {
  list: EntriesList
  /** With an id behind it, where in the list the other entry stands. */
  newer: { id: string | null; words: string }
  older: { id: string | null; words: string }
  /** Null: the person may not. Only what nothing newer stands for is corrected. */
  correct: { run: () => void; draftName: string } | null
}

/** Under an entry: what took its place, what it took the place of, and the way to correct it. */
export function EntryChain({ list, newer, older, correct }: ChainProps) {
  // In the page as it stands: to go to the address would make of the panel beside a list a page of its own.
  const showInPlace = (event: MouseEvent, id: string) => {
    if (event.ctrlKey || event.metaKey) return
    event.preventDefault()
    list.show(id)
  }
  return (
    <p className={classes.chain}>
      {[newer, older].map(
        ({ id, words }) =>
          id !== null && (
            <a key={id} href={`#${list.anchor}-${id}`} onClick={(event) => showInPlace(event, id)}>
              {words}
            </a>
          ),
      )}
      {newer.id === null && correct !== null && (
        <>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconArrowBackUp size={13} />}
            onClick={correct.run}
          >
            Correct this
          </Button>
          {!list.isWriting && <CorrectionLeft draftName={correct.draftName} />}
        </>
      )}
    </p>
  )
}

function CorrectionLeft({ draftName }: { draftName: string }) {
  const { restored } = useDraft(draftName, parseDraft)
  if (restored === null) return null
  return (
    <span>
      Unsaved correction, <DateTime at={restored.savedAt} />.
    </span>
  )
}
