/**
 * Every address of the web app. A screen is fetched when it is first opened, so that the first load stays small: add a
 * room's screen with `screen`, and only pure helpers (reading the address) with a plain import.
 */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { parseAuditSearch } from '../rooms/audit/audit-search.ts'
import { parseSecuritySearch } from '../rooms/identity/people/security-search.ts'
import { parseJobsSearch } from '../rooms/jobs/jobs-search.ts'
import { parseDuplicatesSearch } from '../rooms/matching/duplicates-search.ts'
import { parseMergesSearch } from '../rooms/matching/merges-search.ts'
import { parseProspectSearch } from '../rooms/prospects/list/prospect-search.ts'
import { parseReportQuestion } from '../rooms/reports/report-search.ts'
import { parseSuppressionSearch } from '../rooms/suppression/suppression-search.ts'
import { isProblem } from '../ui/api/api-problem.ts'
import { sessionQuery } from '../ui/api/session.ts'
import { NotFound } from '../ui/layout/states.tsx'
import { ownPath } from './own-path.ts'
import { plannedPlaces } from './places.ts'
import { screen } from './screen.ts'
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

// Prospects: the list stays mounted while a record stands beside it.
const prospectsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/prospects',
  validateSearch: parseProspectSearch,
  component: screen(() => import('./prospects/prospects-desk.tsx'), 'ProspectsDesk'),
})
const prospectRoute = createRoute({
  getParentRoute: () => prospectsRoute,
  path: '/$businessId',
  // Told by the match, as the id is: read from the location, the two differ for a moment, in which the list would go and come back at its top.
  beforeLoad: ({ location }) => ({ isPanel: location.state.panel === true }),
})
const newProspectRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/prospects/new',
  component: screen(() => import('../rooms/prospects/record/new-prospect-screen.tsx'), 'NewProspectScreen'),
})

const suppressionRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/suppression',
  validateSearch: parseSuppressionSearch,
  component: screen(() => import('../rooms/suppression/suppression-screen.tsx'), 'SuppressionScreen'),
})
const pasteRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/suppression/paste',
  component: screen(() => import('../rooms/suppression/paste-screen.tsx'), 'PasteScreen'),
})
const suppressionEntryRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/suppression/$suppressionId',
  component: screen(() => import('../rooms/suppression/entry-screen.tsx'), 'EntryScreen'),
})

const duplicatesRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/duplicates',
  validateSearch: parseDuplicatesSearch,
  component: screen(() => import('../rooms/matching/duplicates-screen.tsx'), 'DuplicatesScreen'),
})
const pairRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/duplicates/$suggestionId',
  validateSearch: parseDuplicatesSearch,
  component: screen(() => import('../rooms/matching/compare-screen.tsx'), 'CompareScreen'),
})
const mergesRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/duplicates/merges',
  validateSearch: parseMergesSearch,
  component: screen(() => import('../rooms/matching/merges-screen.tsx'), 'MergesScreen'),
})
const mergeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/duplicates/merges/$mergeId',
  // The list that the merged pair was opened from, to go on with.
  validateSearch: parseDuplicatesSearch,
  component: screen(() => import('../rooms/matching/merge-screen.tsx'), 'MergeScreen'),
})

const reportsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/reports',
  component: screen(() => import('../rooms/reports/reports-screen.tsx'), 'ReportsScreen'),
})
const newReportRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/reports/new',
  validateSearch: parseReportQuestion,
  component: screen(() => import('../rooms/reports/new-report-screen.tsx'), 'NewReportScreen'),
})
const reportRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/reports/$reportId',
  component: screen(() => import('./reports/report-desk.tsx'), 'ReportDesk'),
})

const exportsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/exports',
  component: screen(() => import('./exports/exports-desk.tsx'), 'ExportsDesk'),
})

const auditRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: screen(() => import('../rooms/audit/audit-screen.tsx'), 'AuditScreen'),
})
const sourcesRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/sources',
  component: screen(() => import('../rooms/csv-preview/csv-preview-screen.tsx'), 'CsvPreviewScreen'),
})
const jobsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/jobs',
  validateSearch: parseJobsSearch,
  component: screen(() => import('../rooms/jobs/jobs-screen.tsx'), 'JobsScreen'),
})
const jobRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/jobs/$jobId',
  component: screen(() => import('../rooms/jobs/job-screen.tsx'), 'JobScreen'),
})
const profileFrame = createRoute({
  getParentRoute: () => deskRoute,
  path: '/profile',
  component: screen(() => import('./settings/profile-frame.tsx'), 'ProfileFrame'),
})
const profileRoute = createRoute({
  getParentRoute: () => profileFrame,
  path: '/',
  component: screen(() => import('../rooms/identity/profile-screen.tsx'), 'ProfileScreen'),
})
const securityRoute = createRoute({
  getParentRoute: () => profileFrame,
  path: '/security',
  component: screen(() => import('../rooms/identity/security/security-screen.tsx'), 'SecurityScreen'),
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
const peopleRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: '/people',
  component: screen(() => import('../rooms/identity/people/people-screen.tsx'), 'PeopleScreen'),
})
const rolesRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: '/roles',
  component: screen(() => import('../rooms/identity/people/roles-screen.tsx'), 'RolesScreen'),
})
const securityEventsRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: '/security-events',
  validateSearch: parseSecuritySearch,
  component: screen(() => import('../rooms/identity/people/security-events-screen.tsx'), 'SecurityEventsScreen'),
})

const acceptanceRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: '/acceptance',
  component: screen(() => import('../rooms/health/acceptance-screen.tsx'), 'AcceptanceScreen'),
})

const plannedRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/planned',
  component: screen(() => import('./shell/planned-screen.tsx'), 'PlannedScreen'),
})
/** The address of a planned place redirects to its part of the page. Any other address of one segment is not found. */
const placeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/$placeId',
  beforeLoad: ({ params: { placeId } }) => {
    if (plannedPlaces.some(({ id }) => id === placeId)) throw redirect({ to: '/planned', hash: placeId, replace: true })
  },
  component: () => <NotFound />,
})

export const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  deskRoute.addChildren([
    homeRoute,
    prospectsRoute.addChildren([prospectRoute]),
    newProspectRoute,
    duplicatesRoute,
    pairRoute,
    mergesRoute,
    mergeRoute,
    suppressionRoute,
    pasteRoute,
    suppressionEntryRoute,
    reportsRoute,
    newReportRoute,
    reportRoute,
    exportsRoute,
    auditRoute,
    jobsRoute,
    jobRoute,
    sourcesRoute,
    profileFrame.addChildren([profileRoute, securityRoute]),
    settingsFrame.addChildren([generalRoute, peopleRoute, rolesRoute, securityEventsRoute, acceptanceRoute]),
    plannedRoute,
    placeRoute,
  ]),
])
