import type { SavedFilter } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { Empty } from '../../../ui/layout/states.tsx'
import cells from '../../../ui/lists/cells.module.css'
import { ListScreen } from '../../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { deskNames, sharingWords } from './filter-texts.ts'
import { isBroken, savedFilterPages } from './saved-filters.queries.ts'

const columns: readonly DataColumn<SavedFilter>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (filter) => (
      <>
        <Link to="/review/filters/$savedFilterId" params={{ savedFilterId: filter.id }} className={cells.name}>
          <Name of={filter.name} />
        </Link>
        {isBroken(filter) && (
          <span className={cells.under}>A condition of this filter cannot be read. Open the filter to repair it.</span>
        )}
      </>
    ),
  },
  { id: 'desk', label: 'List', width: 9, render: ({ desk }) => deskNames[desk] },
  { id: 'sharing', label: 'Sharing', width: 11, render: sharingWords },
  {
    id: 'owner',
    label: 'Owner',
    width: 11,
    render: ({ owner, ownerLeft }) => (
      <>
        <Name of={owner.name} />
        {ownerLeft && <span className={cells.under}>left the workspace</span>}
      </>
    ),
  },
  {
    id: 'changed',
    label: 'Changed',
    width: 8,
    narrow: 'hidden',
    render: ({ updatedAt }) => <DateTime at={updatedAt} />,
  },
]

/** List of own and shared filters of both desks. */
export function FiltersScreen() {
  return (
    <ListScreen
      name="saved-filters"
      nouns={{ one: 'filter', many: 'filters' }}
      title="Saved filters"
      label="Saved filters"
      lead="Your own filters and the filters that colleagues share. Sharing a filter does not show people records that they cannot see."
      isWrapped
      columns={columns}
      pages={savedFilterPages}
      clear={null}
      empty={
        <Empty title="No saved filters yet">To save a filter, filter the prospects or the review queue first.</Empty>
      }
    />
  )
}
