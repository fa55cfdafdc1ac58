import { IconChecklist } from '@tabler/icons-react'
import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseOutcomeSearch } from './bulk/outcome-search.ts'

export const reviewRoom: Room = {
  place: {
    id: 'review',
    label: 'Review',
    group: 'desk',
    key: 'v',
    to: '/review',
    permission: 'review.read',
    purpose: 'The queue of prospects to verify or reject, saved filters and bulk actions.',
    Icon: IconChecklist,
  },
  tabs: [
    { to: '/review', label: 'Queue', permission: 'review.read' },
    { to: '/review/bulks', label: 'Bulk actions', permission: 'review.read' },
    { to: '/review/filters', label: 'Saved filters' },
  ],
  recordParts: () => import('./review.record.ts'),
}

const bulkActions = { permission: 'review.read', what: 'bulk actions' } as const

/**
 * Routes of the review. `Desk` shows the queue with the record beside it, and stays mounted while records open and close. `parse` parses its filters.
 */
export const reviewRoutes = <Parent extends AnyRoute, Search extends object>(
  parent: Parent,
  Desk: RouteComponent,
  parse: (search: Record<string, unknown>) => Search,
) => {
  const queue = createRoute({
    getParentRoute: () => parent,
    path: '/review',
    validateSearch: parse,
    component: Desk,
  })
  const record = createRoute({ getParentRoute: () => queue, path: '/$businessId' })
  return [
    queue.addChildren([record]),
    page(parent, '/review/bulks', () => import('./bulk/bulks-screen.tsx'), 'BulksScreen', bulkActions),
    page(parent, '/review/bulks/$bulkId', () => import('./bulk/bulk-screen.tsx'), 'BulkScreen', {
      ...bulkActions,
      parse: parseOutcomeSearch,
    }),
    page(parent, '/review/previews/$previewId', () => import('./bulk/preview-screen.tsx'), 'PreviewScreen', {
      permission: 'review.bulk',
      what: 'previews of bulk actions',
    }),
    page(parent, '/review/filters', () => import('./filters/filters-screen.tsx'), 'FiltersScreen'),
    page(parent, '/review/filters/$savedFilterId', () => import('./filters/filter-screen.tsx'), 'FilterScreen'),
  ] as const
}
