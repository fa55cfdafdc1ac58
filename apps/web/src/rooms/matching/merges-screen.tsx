import type { MergeSummary } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { FilterBar, FilterSelect } from '../../ui/lists/filters.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { useListSearch } from '../../ui/lists/use-list-search.ts'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import { mergePages } from './matching.queries.ts'
import { addedWords } from './matching-words.ts'
import { MergeAttempts } from './merge-attempts.tsx'
import { parseMergesSearch } from './merges-search.ts'

const statuses = { merged: 'Merged', reversed: 'Undone' } as const

const columns: readonly DataColumn<MergeSummary>[] = [
  {
    id: 'merge',
    label: 'Merge',
    width: 20,
    isFixed: true,
    isGrowing: true,
    render: ({ id, loser, survivor }) => (
      <Link to="/duplicates/merges/$mergeId" params={{ mergeId: id }} className={cells.name}>
        <ProspectName {...loser} /> into <ProspectName {...survivor} />
      </Link>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: 9,
    render: ({ status, reversal }) => (
      <>
        {statuses[status]}
        {reversal !== null && (
          <span className={cells.under}>
            <DateTime at={reversal.at} as="date" /> by <Name of={reversal.by.name} />
          </span>
        )}
      </>
    ),
  },
  { id: 'added', label: 'Added', width: 12, narrow: 'wide', render: ({ readBack }) => addedWords(readBack.loser) },
  {
    id: 'reason',
    label: 'Reason',
    width: 16,
    isGrowing: true,
    narrow: 'wide',
    render: ({ reason }) => <GivenReason of={reason} />,
  },
  {
    id: 'mergedAt',
    label: 'Merged',
    width: 9,
    render: ({ mergedAt, mergedBy }) => (
      <>
        <DateTime at={mergedAt} as="date" />
        <span className={cells.under}>
          by <Name of={mergedBy.name} />
        </span>
      </>
    ),
  },
]

/** List of all merges with their survivors and whether they were undone. */
export function MergesScreen() {
  const { search, set, clear, isFiltered } = useListSearch(parseMergesSearch)
  return (
    <ListScreen
      name="merges"
      nouns={{ one: 'merge', many: 'merges' }}
      title="Merge history"
      tab="Merges"
      label="Merges, newest first"
      lead="Records that were merged, with the person and the reason. Every merge can be undone."
      back={<BackLink to="/duplicates">Duplicates</BackLink>}
      isWrapped
      columns={columns}
      pages={mergePages(search)}
      filters={
        <FilterBar isFiltered={isFiltered} clear={clear}>
          <FilterSelect
            label="Status"
            placeholder="Any"
            options={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
            value={search.status}
            onChange={(status) => set({ status })}
          />
        </FilterBar>
      }
      clear={isFiltered ? clear : null}
      empty={<Empty title="No merges yet">To merge two records, open a suggested duplicate.</Empty>}
      below={<MergeAttempts />}
    />
  )
}
