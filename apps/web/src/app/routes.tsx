/** The route tree: the frame's own addresses, and those of the rooms. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { profileRoutes } from '../rooms/identity/room.ts'
import { isProblem } from '../ui/api/api-problem.ts'
import { sessionQuery } from '../ui/api/session.ts'
import { NotFound } from '../ui/layout/states.tsx'
import { screen } from '../ui/lazy/screen.ts'
import { ownPath } from './own-path.ts'
import { roomRoutes, roomSettingsRoutes } from './rooms.ts'
import { DeskFrame } from './shell/desk-frame.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // `joined`: the name of the tenant to begin in, after a link that let the person in. The router merges the returned object over the raw
  // search, so a refused value is returned as undefined.
  validateSearch: (search: Record<string, unknown>): { next?: string | undefined; joined?: string | undefined } => ({
    next: ownPath(search.next, window.location.origin),
    joined: typeof search.joined === 'string' ? search.joined : undefined,
  }),
  // A session that still lacks something goes on where it was; one that lacks nothing needs no sign-in.
  beforeLoad: async ({ context, search }) => {
    // Sent here because there is none: no need to ask again.
    if (context.queryClient.getQueryState(sessionQuery.queryKey)?.status === 'error') return
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => null)
    if (session !== null && session.hold === null) throw redirect({ href: search.next ?? '/', replace: true })
  },
  component: screen(() => import('../rooms/identity/sign-in-screen.tsx'), 'SignInScreen'),
})

/** A one-time link: an invitation, or a way back in. The token stands behind #, so that no server ever logs it. */
const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: screen(() => import('../rooms/identity/welcome-screen.tsx'), 'WelcomeScreen'),
})

/** Everything below needs a session that lacks nothing; without one the person signs in first and then arrives where they wanted to go. */
const deskRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'desk',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (!isProblem(error, 'authentication_required')) throw error
      return null
    })
    if (session !== null && session.hold === null) return
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
  },
  component: DeskFrame,
  // Without a session there is no frame, and so no main part of the page but this.
  errorComponent: (props) => (
    <main>
      <ScreenFailed {...props} />
    </main>
  ),
})

const homeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/prospects', replace: true })
  },
})

const profileFrame = createRoute({
  getParentRoute: () => deskRoute,
  path: '/profile',
  component: screen(() => import('./settings/profile-frame.tsx'), 'ProfileFrame'),
})
const settingsFrame = createRoute({
  getParentRoute: () => deskRoute,
  path: '/settings',
  component: screen(() => import('./settings/settings-frame.tsx'), 'SettingsFrame'),
})
const generalRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: '/',
  component: screen(() => import('./settings/general-screen.tsx'), 'GeneralScreen'),
})
/** An unknown address of one segment is not found inside the frame, beside the places. */
const placeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/$placeId',
  component: () => <NotFound />,
})

const joinedDesks = {
  ProspectsDesk: screen(() => import('./prospects/prospects-desk.tsx'), 'ProspectsDesk'),
  ReviewDesk: screen(() => import('./review/review-desk.tsx'), 'ReviewDesk'),
  ReportDesk: screen(() => import('./reports/report-desk.tsx'), 'ReportDesk'),
  ExportsDesk: screen(() => import('./exports/exports-desk.tsx'), 'ExportsDesk'),
}

export const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  deskRoute.addChildren([
    homeRoute,
    ...roomRoutes(deskRoute, joinedDesks),
    profileFrame.addChildren(profileRoutes(profileFrame)),
    settingsFrame.addChildren([generalRoute, ...roomSettingsRoutes(settingsFrame)]),
    placeRoute,
  ]),
])
