import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
import { parseSecuritySearch } from './people/security-search.ts'

export const identityRoom: Room = {
  profilePages: [
    { to: '/profile', label: 'Profile', keys: 'g i' },
    {
      to: '/profile/security',
      label: 'Security',
      keywords: 'password passkey second factor authenticator sessions',
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
    createRoute({
      getParentRoute: () => parent,
      path: '/',
      component: screen(() => import('./profile-screen.tsx'), 'ProfileScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/security',
      component: screen(() => import('./security/security-screen.tsx'), 'SecurityScreen'),
    }),
  ] as const

export const identitySettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/people',
      component: screen(() => import('./people/people-screen.tsx'), 'PeopleScreen', {
        permission: 'users.manage',
        what: 'the people of this workspace',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/roles',
      component: screen(() => import('./people/roles-screen.tsx'), 'RolesScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/security-events',
      validateSearch: parseSecuritySearch,
      component: screen(() => import('./people/security-events-screen.tsx'), 'SecurityEventsScreen', {
        permission: 'users.manage',
        what: 'the security events',
      }),
    }),
  ] as const
