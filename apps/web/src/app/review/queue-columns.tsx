import type { BusinessSummary } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { prospectColumns } from '../../rooms/prospects/list/prospect-columns.tsx'
import cells from '../../ui/lists/cells.module.css'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { Name } from '../../ui/text/name.tsx'

/** Columns of the prospects list for the queue: a row opens in the queue, and the review state is visible. */
export const queueColumns: readonly DataColumn<BusinessSummary>[] = prospectColumns.map((column) => {
  if (column.id === 'review') return { ...column, isOptional: false }
  if (column.id !== 'name') return column
  return {
    ...column,
    render: (row) => (
      <>
        <Link
          to="/review/$businessId"
          params={{ businessId: row.id }}
          search={({ tab: _, ...rest }) => rest}
          className={cells.name}
          preload={false}
        >
          <Name of={row.name} />
        </Link>
        {row.doNotContact && <DoNotContactMark />}
      </>
    ),
  }
})
