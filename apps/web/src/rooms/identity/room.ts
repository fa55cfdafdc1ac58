import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseSecuritySearch } from './people/security-search.ts'

export const identityRoom: Room = {
  profilePages: [
    { to: '/profile', label: 'Profile', keys: 'g i' },
    {
      to: '/profile/security',
      label: 'Security',
      keywords: 'password passkey second factor authenticator sessions tokens',
    },
  ],
  settingsPages: [
    {
      to: '/settings/people',
      label: 'People',
      keywords: 'users invite accounts administration',
      permission: 'users.manage',
    },
    { to: '/settings/roles', label: 'Roles', keywords: 'permissions matrix' },
    { to: '/settings/tokens', label: 'Access tokens', permission: 'tokens.manage' },
    {
      to: '/settings/security-events',
      label: 'Security events',
      keywords: 'failed sign-in log',
      permission: 'users.manage',
    },
  ],
}

export const profileRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/', () => import('./profile-screen.tsx'), 'ProfileScreen'),
    page(parent, '/security', () => import('./security/security-screen.tsx'), 'SecurityScreen'),
  ] as const

export const identitySettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/people', () => import('./people/people-screen.tsx'), 'PeopleScreen', {
      permission: 'users.manage',
      what: 'the people of this workspace',
    }),
    page(parent, '/roles', () => import('./people/roles-screen.tsx'), 'RolesScreen'),
    page(parent, '/tokens', () => import('./tokens/workspace-tokens-screen.tsx'), 'WorkspaceTokensScreen', {
      permission: 'tokens.manage',
      what: 'the access tokens of this workspace',
    }),
    page(parent, '/security-events', () => import('./people/security-events-screen.tsx'), 'SecurityEventsScreen', {
      permission: 'users.manage',
      what: 'the security events',
      parse: parseSecuritySearch,
    }),
  ] as const
