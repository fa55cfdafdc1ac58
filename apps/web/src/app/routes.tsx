/** Route tree: addresses of the frame and of the rooms. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { profileRoutes } from '../rooms/identity/room.ts'
import { isProblem } from '../ui/api/api-problem.ts'
import { sessionQuery } from '../ui/api/session.ts'
import { NotFound } from '../ui/layout/states.tsx'
import { page } from '../ui/rooms/page.ts'
import { screen } from '../ui/rooms/screen.tsx'
import { ownPath } from './own-path.ts'
import { roomRoutes, roomSettingsRoutes } from './rooms.ts'
import { DeskFrame } from './shell/desk-frame.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // `joined` is the name of the tenant to open after sign-in, set by a one-time link. The router merges the returned object over the raw search, so a
  // rejected value must be returned as undefined.
  validateSearch: (search: Record<string, unknown>): { next?: string | undefined; joined?: string | undefined } => ({
    next: ownPath(search.next, window.location.origin),
    joined: typeof search.joined === 'string' ? search.joined : undefined,
  }),
  // A complete session skips the sign-in. A session with a missing step continues here.
  beforeLoad: async ({ context, search }) => {
    // The session query has already failed, which led here: do not repeat it.
    if (context.queryClient.getQueryState(sessionQuery.queryKey)?.status === 'error') return
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => null)
    if (session !== null && session.hold === null) throw redirect({ href: search.next ?? '/', replace: true })
  },
  component: screen(() => import('../rooms/identity/sign-in-screen.tsx'), 'SignInScreen'),
})

/** Page of one-time links: invitations and password resets. The token is in the hash, so that no server logs it. */
const welcomeRoute = page(rootRoute, '/welcome', () => import('../rooms/identity/welcome-screen.tsx'), 'WelcomeScreen')

/** Page to which the company's provider posts the answer of a sign-in. The web server responds with the app (server/company-answer.ts). */
const companyAnswerRoute = page(
  rootRoute,
  '/sign-in/company',
  () => import('../rooms/identity/company/company-answer-screen.tsx'),
  'CompanyAnswerScreen',
)

/** Everything below requires a complete session. Without one, the user signs in first and then continues to the requested page. */
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
  // Without a session the frame is not rendered, so this error needs its own `main`.
  errorComponent: (props) => (
    <main>
      <ScreenFailed {...props} />
    </main>
  ),
})

const homeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/',
  // Operators begin with their own prospects.
  beforeLoad: async ({ context }) => {
    const { role, user } = await context.queryClient.ensureQueryData(sessionQuery)
    throw redirect({ to: '/prospects', search: role === 'operator' ? { assignee: user.id } : {}, replace: true })
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
const generalRoute = page(settingsFrame, '/', () => import('./settings/general-screen.tsx'), 'GeneralScreen')
/** Unknown addresses with one segment: shows "not found" inside the frame. */
const placeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/$placeId',
  component: () => <NotFound />,
})

const joinedDesks = {
  ProspectsDesk: screen(() => import('./prospects/prospects-desk.tsx'), 'ProspectsDesk'),
  ReviewDesk: screen(() => import('./review/review-desk.tsx'), 'ReviewDesk', {
    permission: 'review.read',
    what: 'the review queue',
  }),
  RequestDesk: screen(() => import('./requests/request-desk.tsx'), 'RequestDesk', {
    permission: 'requests.read',
    what: 'subject requests',
  }),
  ReportDesk: screen(() => import('./reports/report-desk.tsx'), 'ReportDesk', {
    permission: 'reports.read',
    what: 'reports',
  }),
  ExportsDesk: screen(() => import('./exports/exports-desk.tsx'), 'ExportsDesk', {
    permission: 'exports.read',
    what: 'exports',
  }),
  AuditDesk: screen(() => import('./audit/audit-desk.tsx'), 'AuditDesk', {
    permission: 'audit.read',
    what: 'the audit log',
  }),
  CsvRowsDesk: screen(() => import('./csv-rows/csv-rows-desk.tsx'), 'CsvRowsDesk', {
    permission: 'businesses.write',
    to: 'add prospects',
  }),
}

export const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  companyAnswerRoute,
  deskRoute.addChildren([
    homeRoute,
    ...roomRoutes(deskRoute, joinedDesks),
    profileFrame.addChildren(profileRoutes(profileFrame)),
    settingsFrame.addChildren([generalRoute, ...roomSettingsRoutes(settingsFrame)]),
    placeRoute,
  ]),
])
