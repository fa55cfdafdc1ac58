import type { Migration } from '../store/migration.ts'
import { storeMigrations } from '../store/store.migrations.ts'
import { assistMigrations } from './assist/assist.migrations.ts'
import { auditMigrations } from './audit/audit.migrations.ts'
import { businessesMigrations } from './businesses/businesses.migrations.ts'
import { contactGateMigrations } from './contact-gate/contact-gate.migrations.ts'
import { contactsMigrations } from './contacts/contacts.migrations.ts'
import { dashboardMigrations } from './dashboard/dashboard.migrations.ts'
import { domainsMigrations } from './domains/domains.migrations.ts'
import { draftsMigrations } from './drafts/drafts.migrations.ts'
import { erasureMigrations } from './erasure/erasure.migrations.ts'
import { evidenceMigrations } from './evidence/evidence.migrations.ts'
import { exportsMigrations } from './exports/exports.migrations.ts'
import { holdingMigrations } from './holdings/holdings.migrations.ts'
import { identityMigrations } from './identity/identity.migrations.ts'
import { interactionsMigrations } from './interactions/interactions.migrations.ts'
import { jobsMigrations } from './jobs/jobs.migrations.ts'
import { matchingMigrations } from './matching/matching.migrations.ts'
import { notesMigrations } from './notes/notes.migrations.ts'
import { peopleMigrations } from './people/people.migrations.ts'
import { pipelineMigrations } from './pipeline/pipeline.migrations.ts'
import { registryMigrations } from './registry/registry.migrations.ts'
import { reportsMigrations } from './reports/reports.migrations.ts'
import { requestMigrations } from './requests/requests.migrations.ts'
import { reviewMigrations } from './review/review.migrations.ts'
import { scanningMigrations } from './scanning/scanning.migrations.ts'
import { scoringMigrations } from './scoring/scoring.migrations.ts'
import { sourcesMigrations } from './sources/sources.migrations.ts'
import { suppressionMigrations } from './suppression/suppression.migrations.ts'
import { tokenMigrations } from './tokens/tokens.migrations.ts'

/**
 * Every schema step, sorted by its name, which begins with its date. The steps of one day do not depend on each other. This file imports only SQL, so
 * that commands and threads can use it. `npm run generate:rooms` writes the imports and the list.
 */
export const migrations: readonly Migration[] = [
  storeMigrations,
  auditMigrations,
  identityMigrations,
  tokenMigrations,
  jobsMigrations,

  contactGateMigrations,
  businessesMigrations,
  suppressionMigrations,
  peopleMigrations,
  evidenceMigrations,
  notesMigrations,
  pipelineMigrations,
  interactionsMigrations,
  sourcesMigrations,

  matchingMigrations,
  domainsMigrations,
  scanningMigrations,
  contactsMigrations,
  scoringMigrations,

  reviewMigrations,
  reportsMigrations,
  exportsMigrations,
  registryMigrations,
  requestMigrations,
  dashboardMigrations,
  assistMigrations,
  draftsMigrations,

  erasureMigrations,
  holdingMigrations,
]
  .flat()
  .sort((a, b) => (a.name < b.name ? -1 : 1))
