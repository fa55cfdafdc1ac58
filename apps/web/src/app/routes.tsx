/**
 * Every address of the web app. A screen is fetched when it is first opened, so that the first load stays small: add a
 * room's screen with `lazyRouteComponent`, and only pure helpers (reading the address) with a plain import.
 */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { parseAuditSearch } from '../rooms/audit/audit-search.ts'
import { parseProspectSearch } from '../rooms/businesses/list/prospect-search.ts'
import { isProblem } from '../ui/api-problem.ts'
import { sessionQuery } from '../ui/session.ts'
import { DeskFrame } from './shell/desk-frame.tsx'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' && isOwnPath(search.next) ? { next: search.next } : {},
  component: lazyRouteComponent(() => import('../rooms/identity/sign-in-screen.tsx'), 'SignInScreen'),
})

/** Everything below needs a session; without one the person signs in first and then arrives where they wanted to go. */
const deskRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'desk',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(sessionQuery)
    } catch (error) {
      if (!isProblem(error, 'authentication_required')) throw error
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
    }
  },
  component: DeskFrame,
})

const homeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/prospects', replace: true })
  },
})

// Prospects: the list stays mounted while a record stands beside it.
const prospectsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/prospects',
  validateSearch: parseProspectSearch,
  component: lazyRouteComponent(() => import('./prospects/prospects-desk.tsx'), 'ProspectsDesk'),
})
const prospectRoute = createRoute({
  getParentRoute: () => prospectsRoute,
  path: '/$businessId',
})
const newProspectRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/prospects/new',
  component: lazyRouteComponent(
    () => import('../rooms/businesses/record/new-business-screen.tsx'),
    'NewBusinessScreen',
  ),
})

const auditRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('../rooms/audit/audit-screen.tsx'), 'AuditScreen'),
})
const profileRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/profile',
  component: lazyRouteComponent(() => import('../rooms/identity/profile-screen.tsx'), 'ProfileScreen'),
})
const settingsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../rooms/pipeline/settings-screen.tsx'), 'SettingsScreen'),
})

/** Desks and machinery that are not built: each has its address, and says what it is and why it is not there. */
const placeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/$placeId',
  component: lazyRouteComponent(() => import('./shell/not-built-screen.tsx'), 'NotBuiltScreen'),
})

export const routeTree = rootRoute.addChildren([
  signInRoute,
  deskRoute.addChildren([
    homeRoute,
    prospectsRoute.addChildren([prospectRoute]),
    newProspectRoute,
    auditRoute,
    profileRoute,
    settingsRoute,
    placeRoute,
  ]),
])

/** Only a path of this app, so that a crafted link cannot send a person elsewhere after signing in. */
function isOwnPath(next: string): boolean {
  return next.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') && !next.startsWith('/sign-in')
}
