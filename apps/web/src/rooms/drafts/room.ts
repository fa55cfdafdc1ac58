import { IconFilePencil } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { screen } from '../../ui/lazy/screen.ts'
import type { Room } from '../../ui/rooms/room.ts'
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

const list = () => import('./drafts-screen.tsx')

export const draftRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({ getParentRoute: () => parent, path: '/drafts', component: screen(list, 'MyDrafts') }),
    createRoute({ getParentRoute: () => parent, path: '/drafts/needs-review', component: screen(list, 'StaleDrafts') }),
    createRoute({ getParentRoute: () => parent, path: '/drafts/approved', component: screen(list, 'ApprovedDrafts') }),
    createRoute({ getParentRoute: () => parent, path: '/drafts/closed', component: screen(list, 'ClosedDrafts') }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/approvals',
      component: screen(() => import('./inbox-screen.tsx'), 'InboxScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/new',
      validateSearch: parseNewDraftSearch,
      component: screen(() => import('./new-draft-screen.tsx'), 'NewDraftScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/drafts/$draftId',
      component: screen(() => import('./draft-screen.tsx'), 'DraftScreen'),
    }),
  ] as const

export const draftSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/draft-templates',
      component: screen(() => import('./templates-screen.tsx'), 'TemplatesScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/draft-policies',
      component: screen(() => import('./policies-screen.tsx'), 'PoliciesScreen'),
    }),
  ] as const
