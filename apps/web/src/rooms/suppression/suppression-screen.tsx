import { Button } from '@mantine/core'
import type { Suppression } from '@prospect/api-client'
import { IconBan, IconClipboardText } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { FilterBar, FilterSelect } from '../../ui/lists/filters.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { SearchField } from '../../ui/lists/search-field.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { type ListSearch, useListSearch } from '../../ui/lists/use-list-search.ts'
import { channelWords } from '../../ui/prospects/request-channels.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { AddEntryDialog } from './add-entry-dialog.tsx'
import { BlockingMark, PastTermMark } from './entry-marks.tsx'
import { evaluationQuery, suppressionPages } from './suppression.queries.ts'
import { parseSuppressionSearch, type SuppressionSearch } from './suppression-search.ts'
import { entryName, kindWords } from './suppression-words.ts'

const columns: readonly DataColumn<Suppression>[] = [
  {
    id: 'value',
    label: 'Value',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (entry) => (
      <>
        <Link to="/suppression/$suppressionId" params={{ suppressionId: entry.id }} className={cells.name}>
          {entryName(entry)}
        </Link>
        <span className={cells.under}>{kindWords[entry.kind]}</span>
      </>
    ),
  },
  {
    id: 'reason',
    label: 'Reason',
    width: 18,
    isGrowing: true,
    narrow: 'wide',
    render: (entry) => (
      <span className={entry.status === 'removed' ? cells.soft : undefined}>
        <Name of={entry.reason} />
      </span>
    ),
  },
  {
    id: 'requested',
    label: 'Requested',
    width: 12,
    render: (entry) => (
      <>
        <DateTime at={entry.requestedAt} as="date" />
        <span className={cells.under}>
          {[entry.requestedBy, channelWords[entry.channel]]
            .filter((word) => word !== null)
            .map(nameText)
            .join(', ')}
        </span>
      </>
    ),
  },
  { id: 'status', label: 'Status', width: 14, render: (entry) => <Status entry={entry} /> },
]

export function SuppressionScreen() {
  const filters = useListSearch(parseSuppressionSearch)
  const { search, clear } = filters
  const adding = useDialog()
  const add: Action = {
    id: 'suppression.add',
    label: 'Add to do-not-contact list',
    shortLabel: 'Add entry',
    group: 'Do-not-contact list',
    Icon: IconBan,
    keywords: 'suppress block opt out',
    permission: 'suppression.add',
    run: () => adding.open(),
  }
  const paste: Action = {
    id: 'suppression.paste',
    label: 'Paste many entries',
    shortLabel: 'Paste many',
    group: 'Do-not-contact list',
    Icon: IconClipboardText,
    keywords: 'paste list suppress',
    permission: 'suppression.add',
    to: '/suppression/paste',
  }
  useActions('screen', [add, paste])
  return (
    <ListScreen
      name="suppression"
      nouns={{ one: 'entry', many: 'entries' }}
      title="Do-not-contact list"
      label="Entries of the do-not-contact list"
      what="the entries of the do-not-contact list"
      lead={
        <>
          <p>Addresses, numbers and domains that nobody may contact. This list overrides everything else.</p>
          <p>
            Prospects marked by hand are listed under{' '}
            <Link to="/prospects" search={{ doNotContact: 'true' }}>
              prospects marked do not contact
            </Link>
            .
          </p>
          <EvaluationNotice />
        </>
      }
      actions={
        <>
          <ActionButton action={paste} iconSize={16} variant="default" />
          <ActionButton action={add} iconSize={16} />
        </>
      }
      isWrapped
      columns={columns}
      pages={suppressionPages(search)}
      filters={<Filters {...filters} />}
      clear={filters.isFiltered ? clear : null}
      noMatch={notFound(search, clear)}
      empty={
        <Empty title="No entries yet">
          When someone asks not to be contacted, add the address, number or domain. All prospects that have this value
          are marked immediately.
        </Empty>
      }
    >
      {adding.slot((_, dialog) => (
        <AddEntryDialog {...dialog} />
      ))}
    </ListScreen>
  )
}

/**
 * Notice for a search without results. It must not read as permission to contact: parts of values are not compared, and a manual block is not an
 * entry.
 */
function notFound({ q, kind, status }: SuppressionSearch, clear: () => void) {
  if (q === undefined) return undefined
  const title = `No entry found for “${nameText(q)}”`
  return {
    words: `${title}. This does not mean that you may contact them.`,
    notice: (
      <Empty
        title={title}
        action={
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        }
      >
        <b>This does not mean that you may contact them.</b> The search finds whole values only, not parts of them.
        Enter numbers with their country code.
        {(kind ?? status) !== undefined && ' Your filters for kind and status hide some entries.'} A person can also
        mark a prospect without an entry:{' '}
        <Link to="/prospects" search={{ q: q.slice(0, inputLimits.search) }}>
          search the prospects
        </Link>
        .
      </Empty>
    ),
  }
}

/**
 * Notice while all entries and records are evaluated again after a change of the matching rules, or before that starts. Renders nothing otherwise.
 */
function EvaluationNotice() {
  const { data } = useQuery(evaluationQuery)
  if (data === undefined) return null
  if (data.jobId !== null) {
    return (
      <p role="status">
        The matching rules changed. All entries and records are{' '}
        <Link to="/jobs/$jobId" params={{ jobId: data.jobId }}>
          being re-evaluated
        </Link>
        . No block is lifted.
      </p>
    )
  }
  if (data.evaluated === null || data.evaluated.rulesVersion === data.rulesVersion) return null
  return (
    <p role="status">
      The matching rules changed. At the next start of the server, all prospects are compared with the list again.
    </p>
  )
}

function Filters({ search, set, clear, isFiltered }: ListSearch<SuppressionSearch>) {
  return (
    <FilterBar isFiltered={isFiltered} clear={clear}>
      <SearchField
        label="Look up"
        description="Enter a whole value, in any notation. A domain also finds its subdomains."
        placeholder="Email address, number or domain"
        maxLength={inputLimits.suppressionSearch}
        q={search.q ?? ''}
        search={(q) => set({ q })}
        action={{ id: 'suppression-search', label: 'Look up entry', group: 'Do-not-contact list' }}
      />
      <FilterSelect
        label="Kind"
        placeholder="Any"
        options={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
        value={search.kind}
        onChange={(kind) => set({ kind })}
      />
      <FilterSelect
        label="Status"
        placeholder="All"
        options={[
          { value: 'active', label: 'Blocking' },
          { value: 'past_term', label: 'Due for review' },
          { value: 'removed', label: 'Removed' },
        ]}
        value={search.status}
        onChange={(status) => set({ status })}
      />
    </FilterBar>
  )
}

/** Status of an entry. A removed one states who removed it and why. */
function Status({ entry: { removal, isPastTerm } }: { entry: Suppression }) {
  if (removal === null)
    return (
      <>
        <BlockingMark />
        {isPastTerm && <PastTermMark />}
      </>
    )
  return (
    <>
      Removed by <Name of={removal.by.name} />
      <span className={cells.under}>
        <DateTime at={removal.at} as="date" />: <Name of={removal.reason} />
      </span>
    </>
  )
}
