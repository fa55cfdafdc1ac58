import { IconBuildingStore } from '@tabler/icons-react'
import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseProspectSearch } from './list/prospect-search.ts'
import { newProspect } from './new-prospect.ts'

export const prospectRoom: Room = {
  place: {
    id: 'prospects',
    label: 'Prospects',
    group: 'desk',
    key: 'p',
    to: '/prospects',
    permission: 'businesses.read',
    purpose: 'All businesses that your team works on.',
    Icon: IconBuildingStore,
  },
  actions: [newProspect],
  recordParts: () => import('./prospects.record.ts'),
}

/** Creates the routes of prospects. `Desk` shows the list with the record beside it, and remains mounted while records are opened and closed. */
export const prospectRoutes = <Parent extends AnyRoute>(parent: Parent, Desk: RouteComponent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/prospects',
    validateSearch: parseProspectSearch,
    component: Desk,
  })
  const record = createRoute({
    getParentRoute: () => list,
    path: '/$businessId',
    // The route reads this value from its match, like the id. Match and location differ for a moment, in which the list would unmount and lose its
    // scroll position.
    beforeLoad: ({ location }) => ({ isPanel: location.state.panel === true }),
  })
  const create = page(parent, '/prospects/new', () => import('./record/new-prospect-screen.tsx'), 'NewProspectScreen')
  return [list.addChildren([record]), create] as const
}
