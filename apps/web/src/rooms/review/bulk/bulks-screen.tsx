import type { BulkReview } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Empty } from '../../../ui/layout/states.tsx'
import cells from '../../../ui/lists/cells.module.css'
import { ListScreen } from '../../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { bulkPages, usePeopleNames } from './bulk.queries.ts'
import { bulkTitle, statusWords } from './bulk-words.ts'

const columnsWith = (people: ReadonlyMap<string, string>): readonly DataColumn<BulkReview>[] => [
  {
    id: 'action',
    label: 'Action',
    width: 16,
    isFixed: true,
    isGrowing: true,
    render: (bulk) => (
      <>
        <Link to="/review/bulks/$bulkId" params={{ bulkId: bulk.id }} className={cells.name}>
          {bulkTitle(bulk, people)}
        </Link>
        <span className={cells.under}>
          <DateTime at={bulk.createdAt} as="dateTime" /> by <Name of={bulk.requestedBy.name} />
        </span>
      </>
    ),
  },
  { id: 'status', label: 'Status', width: 8, render: ({ status }) => statusWords[status] },
  {
    id: 'counts',
    label: 'Prospects',
    width: 16,
    render: ({ selection, counts }) =>
      `${formatNumber(counts.changed)} of ${formatNumber(selection.size)} changed, ${formatNumber(counts.refused)} refused`,
  },
  {
    id: 'reason',
    label: 'Reason',
    width: 16,
    narrow: 'wide',
    render: ({ reason }) => reason !== null && <GivenReason of={reason} />,
  },
]

/** List of all bulk actions of the workspace, newest first. */
export function BulksScreen() {
  const people = usePeopleNames()
  return (
    <ListScreen
      name="bulks"
      nouns={{ one: 'bulk action', many: 'bulk actions' }}
      title="Bulk actions"
      label="Bulk actions"
      lead="Changes made to many prospects at once, with the result for each."
      isWrapped
      columns={useMemo(() => columnsWith(people), [people])}
      pages={bulkPages}
      clear={null}
      empty={
        <Empty title="No bulk actions yet">
          To start a bulk action, select prospects in a list, then choose an action.
        </Empty>
      }
    />
  )
}
