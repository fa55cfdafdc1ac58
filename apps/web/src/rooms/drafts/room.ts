import { IconFilePencil } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
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
    purpose:
      'Letters, messages and call scripts that people write, check and approve here, then copy and use elsewhere.',
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
    page(parent, '/drafts', list, 'MyDrafts', read),
    page(parent, '/drafts/needs-review', list, 'StaleDrafts', read),
    page(parent, '/drafts/approved', list, 'ApprovedDrafts', read),
    page(parent, '/drafts/closed', list, 'ClosedDrafts', read),
    page(parent, '/drafts/approvals', () => import('./inbox-screen.tsx'), 'InboxScreen', read),
    page(parent, '/drafts/new', () => import('./new-draft-screen.tsx'), 'NewDraftScreen', {
      permission: 'drafts.write',
      what: 'new drafts',
      parse: parseNewDraftSearch,
    }),
    page(parent, '/drafts/$draftId', () => import('./draft-screen.tsx'), 'DraftScreen', read),
  ] as const

export const draftSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/draft-templates', () => import('./templates-screen.tsx'), 'TemplatesScreen', {
      permission: 'drafts.read',
      what: 'draft templates',
    }),
    page(parent, '/draft-policies', () => import('./policies-screen.tsx'), 'PoliciesScreen', {
      permission: 'drafts.read',
      what: 'draft policies',
    }),
  ] as const
