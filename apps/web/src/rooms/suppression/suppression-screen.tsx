import { Button, TextInput } from '@mantine/core'
import type { Suppression } from '@prospect/api-client'
import { IconBan, IconClipboardText, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useRowKeys } from '../../ui/actions/use-row-keys.ts'
import { useCan } from '../../ui/api/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { SearchForm } from '../../ui/forms/search-form.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { useVisiblePages } from '../../ui/lists/use-visible-pages.ts'
import { type OnVisibleRows, useVisibleRows } from '../../ui/lists/use-visible-rows.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { AddEntryDialog } from './add-entry-dialog.tsx'
import { PastTermMark } from './past-term-mark.tsx'
import classes from './suppression.module.css'
import { evaluationQuery, suppressionPages } from './suppression.queries.ts'
import { parseSuppressionSearch, type SuppressionSearch } from './suppression-search.ts'
import { channelWords, entryName, kindWords } from './suppression-words.ts'

export function SuppressionScreen() {
  if (!useCan('suppression.read')) return <NoPermission isPage what="the suppression entries" />
  return <Centre />
}

function Centre() {
  const search = useSearch({ from: '/desk/suppression', select: parseSuppressionSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/suppression' })
  const canAdd = useCan('suppression.add')
  const [isAdding, setAdding] = useState(false)
  const { list, rows, total, see } = useVisiblePages(suppressionPages(search))
  const set = (next: SuppressionSearch) => void navigate({ search: next, replace: true, resetScroll: false })
  // Back restores what was cleared.
  const clear = () => void navigate({ search: {}, resetScroll: false })
  const isFiltered = Object.keys(search).length > 0
  const add: Action = {
    id: 'suppression.add',
    label: 'Suppress an address, number or domain',
    shortLabel: 'Suppress',
    group: 'Suppression',
    Icon: IconBan,
    permission: 'suppression.add',
    run: () => setAdding(true),
  }
  const paste: Action = {
    id: 'suppression.paste',
    label: 'Suppress many at once',
    group: 'Suppression',
    keywords: 'paste list',
    permission: 'suppression.add',
    to: '/suppression/paste',
  }
  useActions('screen', [add, paste])
  return (
    <Page
      title="Suppression"
      lead={
        <>
          <p>Who may not be contacted, since when and why. It outweighs everything else that is known of a record.</p>
          <p>
            What a person marked by hand, without an address or number, is among the{' '}
            <Link to="/prospects" search={{ doNotContact: 'true' }}>
              prospects that are do not contact
            </Link>
            .
          </p>
          <EvaluationNotice />
        </>
      }
      actions={
        canAdd && (
          <>
            <Button
              variant="default"
              leftSection={<IconClipboardText size={16} stroke={1.7} aria-hidden />}
              renderRoot={(props) => <Link {...props} to="/suppression/paste" />}
            >
              Paste many
            </Button>
            <ActionButton action={add} iconSize={16} />
          </>
        )
      }
    >
      <FilterBar search={search} set={set} />
      <ListBody
        list={list}
        data={list.data && { items: rows, total }}
        noun="entries"
        what="the suppression entries"
        clear={isFiltered ? clear : null}
        noMatch={notFound(search, clear)}
        empty={
          <Empty title="No address, number or domain is suppressed yet">
            When somebody asks not to be contacted, suppress it here: every record that has it is marked at once.
          </Empty>
        }
      >
        {(items) => <EntryTable entries={items} see={see} />}
      </ListBody>
      <DialogSlot>
        {isAdding && <AddEntryDialog close={() => setAdding(false)} reopen={() => setAdding(true)} />}
      </DialogSlot>
    </Page>
  )
}

/** An empty result must not read as permission: parts of values are not compared, and a block by hand is not an entry. */
function notFound({ q, kind, status }: SuppressionSearch, clear: () => void) {
  if (q === undefined) return undefined
  const title = `No entry found for “${nameText(q)}”`
  return {
    words: `${title}. This is not an all-clear.`,
    notice: (
      <Empty
        title={title}
        action={
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        }
      >
        <b>This is not an all-clear.</b> Look-up compares whole values: a part of an address, number or domain finds
        nothing. Write a number with its country code.
        {(kind ?? status) !== undefined && ' The filters for kind and standing leave out other entries.'} A prospect can
        also be blocked by hand, without an entry:{' '}
        <Link to="/prospects" search={{ q: q.slice(0, inputLimits.search) }}>
          search the prospects
        </Link>
        .
      </Empty>
    ),
  }
}

/** Only where there is something to know: all entries and records are being gone through, or were last by other rules. */
function EvaluationNotice() {
  const { data } = useQuery(evaluationQuery)
  if (data === undefined) return null
  if (data.jobId !== null) {
    return (
      <p role="status">
        The rules by which values are read have changed. All entries and records are{' '}
        <Link to="/jobs/$jobId" params={{ jobId: data.jobId }}>
          evaluated again
        </Link>
        ; nothing is lifted by it.
      </p>
    )
  }
  if (data.evaluated === null || data.evaluated.rulesVersion === data.rulesVersion) return null
  return (
    <p role="status">The rules by which values are read have changed. The next start evaluates everything again.</p>
  )
}

function FilterBar({ search, set }: { search: SuppressionSearch; set: (search: SuppressionSearch) => void }) {
  const { q = '' } = search
  const [typed, setTyped] = useState(q)
  // The address changed by itself (Back, "Clear filters"): show what it says.
  useEffect(() => setTyped(q), [q])
  const input = useRef<HTMLInputElement>(null)
  useActions('screen', [
    {
      id: 'suppression-search',
      label: 'Look up an entry',
      group: 'Suppression',
      keys: '/',
      run: () => input.current?.select(),
    },
  ])
  const change = (part: Record<string, string | null>) => set(parseSuppressionSearch({ ...search, ...part }))
  return (
    <search className={classes.filters}>
      <SearchForm onSearch={() => change({ q: typed })}>
        <TextInput
          ref={input}
          label="Look up"
          description="Finds whole values only, in any form. A domain also finds what is below it."
          placeholder="An email address, a number or a domain"
          size="xs"
          role="searchbox"
          maxLength={inputLimits.suppressionSearch}
          leftSection={<IconSearch size={14} stroke={1.7} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default">
          Look up
        </Button>
      </SearchForm>
      <Select
        label="Kind"
        placeholder="Any"
        size="xs"
        clearable
        data={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
        value={search.kind ?? null}
        onChange={(kind) => change({ kind })}
      />
      <Select
        label="Standing"
        placeholder="All"
        size="xs"
        clearable
        data={[
          { value: 'active', label: 'Blocking' },
          { value: 'past_term', label: 'Past its term' },
          { value: 'removed', label: 'Removed' },
        ]}
        value={search.status ?? null}
        onChange={(status) => change({ status })}
      />
    </search>
  )
}

function EntryTable({ entries, see }: { entries: Suppression[]; see: OnVisibleRows }) {
  const table = useRef<HTMLTableElement>(null)
  useVisibleRows(table, see)
  useRowKeys(table, 'entry', 'Suppression')
  return (
    <table ref={table} className={classes.table} aria-label="Suppression entries">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Why</th>
          <th scope="col">Asked</th>
          <th scope="col">Standing</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id} data-ended={entry.status === 'removed' || undefined}>
            <td className={classes.value}>
              <Link to="/suppression/$suppressionId" params={{ suppressionId: entry.id }}>
                {entryName(entry)}
              </Link>
              <span className={classes.soft}>{kindWords[entry.kind]}</span>
            </td>
            <td className={classes.why}>
              <Name of={entry.reason} />
            </td>
            <td>
              <DateTime at={entry.requestedAt} as="date" />
              <span className={classes.soft}>
                {[entry.requestedBy, channelWords[entry.channel]]
                  .filter((word) => word !== null)
                  .map(nameText)
                  .join(', ')}
              </span>
            </td>
            <td>
              <Standing entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A removed one says by whom and why. */
function Standing({ entry: { removal, isPastTerm } }: { entry: Suppression }) {
  if (removal === null)
    return (
      <>
        <span className={classes.blocking}>
          <IconBan size={13} stroke={2} aria-hidden /> Blocking
        </span>
        {isPastTerm && <PastTermMark />}
      </>
    )
  return (
    <>
      Removed by <Name of={removal.by.name} />
      <span className={classes.soft}>
        <DateTime at={removal.at} as="date" />: <Name of={removal.reason} />
      </span>
    </>
  )
}
