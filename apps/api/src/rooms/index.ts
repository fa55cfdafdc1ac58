/**
 * The list of rooms of this program, lowest tier first. Within a tier, a room follows the rooms whose records its fixture uses. Only app, main, cli and tests import the list and pass it on; a room that needs the other
 * rooms receives it as an argument. `facts.ts` collects the declarations of rooms. `npm run generate:rooms` writes the imports and the list.
 */
import { approvalRoom } from './approvals/approvals.room.ts'
import { assistRoom } from './assist/assist.room.ts'
import { auditRoom } from './audit/audit.room.ts'
import { backupRoom } from './backup/backup.room.ts'
import { businessRoom } from './businesses/businesses.room.ts'
import { changeRoom } from './changes/changes.room.ts'
import { contactGateRoom } from './contact-gate/contact-gate.room.ts'
import { contactHoursRoom } from './contact-hours/contact-hours.room.ts'
import { contactRoom } from './contacts/contacts.room.ts'
import { csvPreviewRoom } from './csv-preview/csv-preview.room.ts'
import { dashboardRoom } from './dashboard/dashboard.room.ts'
import { domainRoom } from './domains/domains.room.ts'
import { draftRoom } from './drafts/drafts.room.ts'
import { erasureRoom } from './erasure/erasure.room.ts'
import { evidenceRoom } from './evidence/evidence.room.ts'
import { exportRoom } from './exports/exports.room.ts'
import { healthRoom } from './health/health.room.ts'
import { holdingRoom } from './holdings/holdings.room.ts'
import { identityRoom } from './identity/identity.room.ts'
import { interactionRoom } from './interactions/interactions.room.ts'
import { jobRoom } from './jobs/jobs.room.ts'
import { type JobKinds, jobKindsOf } from './jobs/jobs.ts'
import { limitRoom } from './limits/limits.room.ts'
import { matchingRoom } from './matching/matching.room.ts'
import { normalizationRoom } from './normalization/normalization.room.ts'
import { noteRoom } from './notes/notes.room.ts'
import { peopleRoom } from './people/people.room.ts'
import { pipelineRoom } from './pipeline/pipeline.room.ts'
import { prospectListRoom } from './prospect-list/prospect-list.room.ts'
import { registryRoom } from './registry/registry.room.ts'
import { reportRoom } from './reports/reports.room.ts'
import { requestRoom } from './requests/requests.room.ts'
import { retentionRoom } from './retention/retention.room.ts'
import { reviewRoom } from './review/review.room.ts'
import { reviewDecisionRoom } from './review-decisions/review-decisions.room.ts'
import type { Room } from './room.ts'
import { sampleDataRoom } from './sample-data/sample-data.room.ts'
import { scanningRoom } from './scanning/scanning.room.ts'
import { scoringRoom } from './scoring/scoring.room.ts'
import { sourceRoom } from './sources/sources.room.ts'
import { suppressionRoom } from './suppression/suppression.room.ts'
import { tokenRoom } from './tokens/tokens.room.ts'

export const rooms: readonly Room[] = [
  normalizationRoom,
  contactHoursRoom,
  auditRoom,
  identityRoom,
  tokenRoom,
  jobRoom,

  approvalRoom,
  contactGateRoom,
  businessRoom,
  suppressionRoom,
  peopleRoom,
  evidenceRoom,
  noteRoom,
  pipelineRoom,
  interactionRoom,
  reviewDecisionRoom,
  csvPreviewRoom,
  sourceRoom,

  matchingRoom,
  domainRoom,
  scanningRoom,
  contactRoom,
  scoringRoom,

  prospectListRoom,

  reviewRoom,
  reportRoom,
  exportRoom,
  registryRoom,
  requestRoom,
  dashboardRoom,
  assistRoom,
  draftRoom,

  changeRoom,
  limitRoom,
  retentionRoom,
  healthRoom,
  backupRoom,
  sampleDataRoom,
  erasureRoom,
  holdingRoom,
]

/** Returns the job kinds that these rooms have in this environment. */
export function jobKindsIn(of: readonly Room[], environment: 'local' | 'production'): JobKinds {
  return jobKindsOf(
    of.flatMap(({ jobKinds = [], localJobKinds = [] }) =>
      environment === 'local' ? [...jobKinds, ...localJobKinds] : jobKinds,
    ),
  )
}
