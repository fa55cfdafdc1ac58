import { IconCopy } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
import { parseDuplicatesSearch } from './duplicates-search.ts'
import { parseMergesSearch } from './merges-search.ts'

export const matchingRoom: Room = {
  place: {
    id: 'duplicates',
    label: 'Duplicates',
    group: 'desk',
    key: 'd',
    to: '/duplicates',
    permission: 'matching.read',
    purpose: 'Suggested duplicates, side by side, merged only by a person and reversible.',
    Icon: IconCopy,
  },
  recordParts: () => import('./matching.record.ts'),
}

export const matchingRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/duplicates',
      validateSearch: parseDuplicatesSearch,
      component: screen(() => import('./duplicates-screen.tsx'), 'DuplicatesScreen', {
        permission: 'matching.read',
        what: 'suggested duplicates',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/duplicates/$suggestionId',
      validateSearch: parseDuplicatesSearch,
      component: screen(() => import('./compare-screen.tsx'), 'CompareScreen', {
        permission: 'matching.read',
        what: 'suggested duplicates',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/duplicates/merges',
      validateSearch: parseMergesSearch,
      component: screen(() => import('./merges-screen.tsx'), 'MergesScreen', {
        permission: 'matching.read',
        what: 'merges',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/duplicates/merges/$mergeId',
      // Filters of the list from which the merged pair was opened, to find its next pair.
      validateSearch: parseDuplicatesSearch,
      component: screen(() => import('./merge-screen.tsx'), 'MergeScreen', {
        permission: 'matching.read',
        what: 'merges',
      }),
    }),
  ] as const
