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

/** Accepts the stored fields of any form. */
const parseDraft = (stored: unknown) => (typeof stored === 'object' ? stored : null)

/** State of the list that an entry renders with. */
export type EntriesList = {
  /** Prefix of element ids: 'evidence' for the address `#evidence-…`. */
  anchor: string
  /** Focuses another entry, and loads pages until it is found. */
  show: (id: string) => void
  /** True while an entry is added or corrected above the list. */
  isWriting: boolean
}

type Props<Entry> = {
  query: ReturnType<typeof pagedQuery<Entry>>
  /** Prefix of the entries' element ids, followed by a hyphen and the entry's id. */
  anchor: string
  /** Name of the list within a sentence: "evidence". */
  what: string
  /** Counted noun if `what` has no plural: 'observations'. */
  counted?: string
  /** Accessible name of the list, including its order. */
  label: string
  /** Button that adds an entry, and its label. Null if the user may not add one. */
  add: { button: ReactNode; label: string; draftName: string } | null
  /** Null while the form is closed. */
  form: ReactNode
  empty: { title: string; text: string }
  item: (entry: Entry, list: EntriesList) => ReactNode
}

/** Append-only entries of a record, newest first, with the form for a new one above. */
export function EntriesTab<Entry extends { id: string }>(props: Props<Entry>) {
  const { query, anchor, what, counted = what, label, add, form, empty, item } = props
  const list = useInfiniteQuery(query)
  const [wanted, setWanted] = useState<string | null>(null)
  const { data } = list

  // biome-ignore lint/correctness/useExhaustiveDependencies: the wanted entry may load with the next page
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
      // The footer of the list shows the error.
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

/** Hint that a closed form has a draft, for example after a reload. */
function LeftUnsaved({ label, draftName }: NonNullable<Props<never>['add']>) {
  const { restored } = useDraft(draftName, parseDraft)
  if (restored === null) return null
  return (
    <p className={classes.unsaved}>
      Unsaved draft from <DateTime at={restored.savedAt} />. “{label}” restores it.
    </p>
  )
}

type ChainProps = {
  list: EntriesList
  /** The entry that replaces this one, and the one that it replaces. With an `id`, the text is a link to that entry in the list. */
  newer: { id: string | null; words: string }
  older: { id: string | null; words: string }
  /** Null if the user may not correct the entry. Only the newest entry of a chain can be corrected. */
  correct: { run: () => void; draftName: string } | null
}

/** Links under an entry: its replacement, the entry it replaces, and the button to correct it. */
export function EntryChain({ list, newer, older, correct }: ChainProps) {
  // Show the entry in this list. Following the link would turn the panel beside a list into a page.
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
      Unsaved correction from <DateTime at={restored.savedAt} />.
    </span>
  )
}
