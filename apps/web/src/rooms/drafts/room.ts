import { IconFilePencil } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
import { parseNewDraftSearch } from './draft-search.ts'

export const draftRoom: Room = {
  place: {
    id: 'drafts',
    label: 'Drafts',
    group: 'desk',
    key: 'f',
    to: '/drafts',
    permission: 'drafts.read',
    purpose: 'Texts that people prepare, check, approve and copy by hand.',
    Icon: IconFilePencil,
  },
  tabs: [
    { to: '/drafts', label: 'Mine', permission: 'drafts.read' },
    { to: '/drafts/approvals', label: 'To approve', permission: 'drafts.read' },
    { to: '/drafts/needs-review', label: 'Needs review', permission: 'drafts.read' },
    { to: '/drafts/approved', label: 'Approved', permission: 'drafts.read' },
    { to: '/drafts/closed', label: 'Closed', permission: 'drafts.read' },
  ],
  settingsPages: [
    { to: '/settings/draft-templates', label: 'Draft templates', permission: 'drafts.read' },
    {
      to: '/settings/draft-policies',
      label: 'Draft policies',
      keywords: 'legal jurisdiction consent caps',
      permission: 'drafts.read',
    },
  ],
  recordParts: () => import('./drafts.record.ts'),
}

const read = { permission: 'drafts.read', what: 'drafts' } as const
const list = () => import('./drafts-screen.tsx')

export const draftRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({ getParentRoute: () => parent, path: '/drafts', component: screen(list, 'MyDrafts', read) }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/needs-review',
      component: screen(list, 'StaleDrafts', read),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/approved',
      component: screen(list, 'ApprovedDrafts', read),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/closed',
      component: screen(list, 'ClosedDrafts', read),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/approvals',
      component: screen(() => import('./inbox-screen.tsx'), 'InboxScreen', read),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/new',
      validateSearch: parseNewDraftSearch,
      component: screen(() => import('./new-draft-screen.tsx'), 'NewDraftScreen', {
        permission: 'drafts.write',
        what: 'new drafts',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/$draftId',
      component: screen(() => import('./draft-screen.tsx'), 'DraftScreen', read),
    }),
  ] as const

export const draftSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/draft-templates',
      component: screen(() => import('./templates-screen.tsx'), 'TemplatesScreen', {
        permission: 'drafts.read',
        what: 'draft templates',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/draft-policies',
      component: screen(() => import('./policies-screen.tsx'), 'PoliciesScreen', {
        permission: 'drafts.read',
        what: 'draft policies',
      }),
    }),
  ] as const
