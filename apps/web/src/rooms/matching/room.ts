import { IconCopy } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
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
    purpose: 'Suggested duplicates, side by side. Only a person merges them, and every merge can be undone.',
    Icon: IconCopy,
  },
  recordParts: () => import('./matching.record.ts'),
}

const duplicates = { permission: 'matching.read', what: 'suggested duplicates' } as const
const merges = { permission: 'matching.read', what: 'merges' } as const

export const matchingRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/duplicates', () => import('./duplicates-screen.tsx'), 'DuplicatesScreen', {
      ...duplicates,
      parse: parseDuplicatesSearch,
    }),
    page(parent, '/duplicates/$suggestionId', () => import('./compare-screen.tsx'), 'CompareScreen', {
      ...duplicates,
      parse: parseDuplicatesSearch,
    }),
    page(parent, '/duplicates/merges', () => import('./merges-screen.tsx'), 'MergesScreen', {
      ...merges,
      parse: parseMergesSearch,
    }),
    // Filters of the list from which the merged pair was opened, to find its next pair.
    page(parent, '/duplicates/merges/$mergeId', () => import('./merge-screen.tsx'), 'MergeScreen', {
      ...merges,
      parse: parseDuplicatesSearch,
    }),
  ] as const
