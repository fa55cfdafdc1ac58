/** All rooms of the app. A new room is added to `rooms`, and its routes to `roomRoutes`. */
import type { AnyRoute, RouteComponent } from '@tanstack/react-router'
import { assistRoom, assistSettingsRoutes } from '../rooms/assist/room.ts'
import { auditRoom, auditRoutes } from '../rooms/audit/room.ts'
import { contactRoom, contactRoutes } from '../rooms/contacts/room.ts'
import { csvPreviewRoom, csvPreviewRoutes } from '../rooms/csv-preview/room.ts'
import { dashboardRoom, dashboardRoutes } from '../rooms/dashboard/room.ts'
import { domainRoom, domainRoutes } from '../rooms/domains/room.ts'
import { draftRoom, draftRoutes, draftSettingsRoutes } from '../rooms/drafts/room.ts'
import { erasureRoom } from '../rooms/erasure/room.ts'
import { evidenceRoom } from '../rooms/evidence/room.ts'
import { exportRoom, exportRoutes } from '../rooms/exports/room.ts'
import { healthRoom, healthSettingsRoutes } from '../rooms/health/room.ts'
import { identityRoom, identitySettingsRoutes } from '../rooms/identity/room.ts'
import { interactionRoom } from '../rooms/interactions/room.ts'
import { jobRoom, jobRoutes } from '../rooms/jobs/room.ts'
import { limitRoom, limitSettingsRoutes } from '../rooms/limits/room.ts'
import { matchingRoom, matchingRoutes } from '../rooms/matching/room.ts'
import { noteRoom } from '../rooms/notes/room.ts'
import { peopleRoom } from '../rooms/people/room.ts'
import { pipelineRoom } from '../rooms/pipeline/room.ts'
import { prospectRoom, prospectRoutes } from '../rooms/prospects/room.ts'
import { registryRoutes } from '../rooms/registry/room.ts'
import { reportRoom, reportRoutes } from '../rooms/reports/room.ts'
import { requestRoom, requestRoutes } from '../rooms/requests/room.ts'
import { retentionRoom, retentionSettingsRoutes } from '../rooms/retention/room.ts'
import { reviewRoom, reviewRoutes } from '../rooms/review/room.ts'
import { scanningRoom, scanningRoutes } from '../rooms/scanning/room.ts'
import { scoringRoom, scoringRoutes } from '../rooms/scoring/room.ts'
import { sourceRoom, sourceRoutes } from '../rooms/sources/room.ts'
import { suppressionRoom, suppressionRoutes } from '../rooms/suppression/room.ts'
import type { Room } from '../ui/rooms/room.ts'
import { parseReviewSearch } from './review/review-search.ts'

/** In the order of the sidebar, the palette and the tabs of a record. */
export const rooms: readonly Room[] = [
  dashboardRoom,
  prospectRoom,
  peopleRoom,
  evidenceRoom,
  scoringRoom,
  assistRoom,
  noteRoom,
  interactionRoom,
  pipelineRoom,
  reviewRoom,
  matchingRoom,
  suppressionRoom,
  requestRoom,
  reportRoom,
  draftRoom,
  jobRoom,
  scanningRoom,
  contactRoom,
  sourceRoom,
  csvPreviewRoom,
  domainRoom,
  exportRoom,
  auditRoom,
  erasureRoom,
  identityRoom,
  limitRoom,
  retentionRoom,
  healthRoom,
]

/** Screens that combine several rooms and therefore belong to `app`. */
type JoinedDesks = Record<
  'ProspectsDesk' | 'ReviewDesk' | 'RequestDesk' | 'ReportDesk' | 'ExportsDesk' | 'AuditDesk' | 'CsvRowsDesk',
  RouteComponent
>

/** Routes of all rooms. The tuples keep the literal types of all paths and searches, so a link to an unknown address does not compile. */
export const roomRoutes = <Desk extends AnyRoute>(desk: Desk, joined: JoinedDesks) =>
  [
    ...prospectRoutes(desk, joined.ProspectsDesk),
    ...dashboardRoutes(desk),
    ...reviewRoutes(desk, joined.ReviewDesk, parseReviewSearch),
    ...matchingRoutes(desk),
    ...suppressionRoutes(desk),
    ...requestRoutes(desk, joined.RequestDesk),
    ...registryRoutes(desk),
    ...reportRoutes(desk, joined.ReportDesk),
    ...draftRoutes(desk),
    ...jobRoutes(desk),
    ...scanningRoutes(desk),
    ...contactRoutes(desk),
    ...sourceRoutes(desk),
    ...domainRoutes(desk),
    ...scoringRoutes(desk),
    ...csvPreviewRoutes(desk, joined.CsvRowsDesk),
    ...exportRoutes(desk, joined.ExportsDesk),
    ...auditRoutes(desk, joined.AuditDesk),
  ] as const

export const roomSettingsRoutes = <Settings extends AnyRoute>(settings: Settings) =>
  [
    ...identitySettingsRoutes(settings),
    ...assistSettingsRoutes(settings),
    ...draftSettingsRoutes(settings),
    ...limitSettingsRoutes(settings),
    ...retentionSettingsRoutes(settings),
    ...healthSettingsRoutes(settings),
  ] as const
