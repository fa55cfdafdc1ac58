/**
 * Facts of all rooms, collected. Any room may import this file; `http/` and `store/` receive facts as arguments. `npm run generate:rooms` writes the
 * imports and the list.
 */

import type { AuditAction, Permission } from '../lib/declared.ts'
import { approvalFacts } from './approvals/approvals.facts.ts'
import { assistFacts } from './assist/assist.facts.ts'
import { auditFacts } from './audit/audit.facts.ts'
import { backupFacts } from './backup/backup.facts.ts'
import { businessFacts } from './businesses/businesses.facts.ts'
import { changeFacts } from './changes/changes.facts.ts'
import { contactGateFacts } from './contact-gate/contact-gate.facts.ts'
import { contactHoursFacts } from './contact-hours/contact-hours.facts.ts'
import { contactFacts } from './contacts/contacts.facts.ts'
import { csvPreviewFacts } from './csv-preview/csv-preview.facts.ts'
import { dashboardFacts } from './dashboard/dashboard.facts.ts'
import type { Capability, FurtherTable, NamedTable, RoomFacts } from './define-facts.ts'
import { domainFacts } from './domains/domains.facts.ts'
import { draftFacts } from './drafts/drafts.facts.ts'
import { erasureFacts } from './erasure/erasure.facts.ts'
import { evidenceFacts } from './evidence/evidence.facts.ts'
import { exportFacts } from './exports/exports.facts.ts'
import { healthFacts } from './health/health.facts.ts'
import { holdingFacts } from './holdings/holdings.facts.ts'
import { identityFacts } from './identity/identity.facts.ts'
import { interactionFacts } from './interactions/interactions.facts.ts'
import { jobFacts } from './jobs/jobs.facts.ts'
import { limitFacts } from './limits/limits.facts.ts'
import { matchingFacts } from './matching/matching.facts.ts'
import { normalizationFacts } from './normalization/normalization.facts.ts'
import { noteFacts } from './notes/notes.facts.ts'
import { peopleFacts } from './people/people.facts.ts'
import { pipelineFacts } from './pipeline/pipeline.facts.ts'
import { prospectListFacts } from './prospect-list/prospect-list.facts.ts'
import { registryFacts } from './registry/registry.facts.ts'
import { reportFacts } from './reports/reports.facts.ts'
import { requestFacts } from './requests/requests.facts.ts'
import { retentionFacts } from './retention/retention.facts.ts'
import { reviewFacts } from './review/review.facts.ts'
import { reviewDecisionFacts } from './review-decisions/review-decisions.facts.ts'
import { sampleDataFacts } from './sample-data/sample-data.facts.ts'
import { scanningFacts } from './scanning/scanning.facts.ts'
import { scoringFacts } from './scoring/scoring.facts.ts'
import { sourceFacts } from './sources/sources.facts.ts'
import { suppressionFacts } from './suppression/suppression.facts.ts'
import { tokenFacts } from './tokens/tokens.facts.ts'

/** The order of `tiers.json`. Business children are counted and fingerprinted in this order. */
const facts = [
  normalizationFacts,
  contactHoursFacts,
  auditFacts,
  identityFacts,
  tokenFacts,
  jobFacts,

  approvalFacts,
  contactGateFacts,
  businessFacts,
  suppressionFacts,
  peopleFacts,
  evidenceFacts,
  noteFacts,
  pipelineFacts,
  interactionFacts,
  reviewDecisionFacts,
  csvPreviewFacts,
  sourceFacts,

  matchingFacts,
  domainFacts,
  scanningFacts,
  contactFacts,
  scoringFacts,

  prospectListFacts,

  reviewFacts,
  reportFacts,
  exportFacts,
  registryFacts,
  requestFacts,
  dashboardFacts,
  assistFacts,
  draftFacts,

  changeFacts,
  limitFacts,
  retentionFacts,
  healthFacts,
  backupFacts,
  sampleDataFacts,
  erasureFacts,
  holdingFacts,
] as const

export const roomFacts: readonly RoomFacts[] = facts

type Facts = (typeof facts)[number]
type ActionPart = 'securityActions' | 'workActions'
type Part = 'permissions' | 'errors' | ActionPart | 'auditSubjects' | 'businessChildren' | 'erasedCounts'
// Types that collect a part from all rooms. TypeScript evaluates a conditional type of a naked type parameter once for each member of a union.
type PartOf<One, Name extends Part> = Name extends Part
  ? One extends Readonly<Record<Name, infer Declared>>
    ? Declared
    : never
  : never
type KeysOf<One> = One extends unknown ? keyof One & string : never
type ValuesOf<One> = One extends unknown ? One[keyof One] : never
type ActorsOf<One> = One extends { systemActors: readonly (infer Name extends string)[] } ? Name : never
/** Names that all rooms declare in these parts of their facts. */
type Names<Name extends Part> = KeysOf<PartOf<Facts, Name>>
type Values<Name extends Part> = ValuesOf<PartOf<Facts, Name>>

// biome-ignore-start lint/suspicious/noEmptyInterface: merged into those of lib
declare module '../lib/declared.ts' {
  interface DeclaredPermissions extends Record<Names<'permissions'>, true> {}
  interface DeclaredErrors extends Record<Names<'errors'>, true> {}
  interface DeclaredActions extends Record<Names<ActionPart>, true> {}
  interface DeclaredSubjects extends Record<Names<'auditSubjects'>, true> {}
  interface DeclaredSystemActors extends Record<ActorsOf<Facts>, true> {}
}
// biome-ignore-end lint/suspicious/noEmptyInterface: merged into those of lib

export type BusinessChild = Names<'businessChildren'>
export type ErasedCount = Names<'erasedCounts'>

/** Returns these parts of the facts of all rooms, in the order of the list. Throws if a name is declared twice. */
function collect<Name extends Part>(...parts: Name[]): Readonly<Record<Names<Name>, Values<Name>>> {
  const entries = roomFacts.flatMap((one) => parts.flatMap((part) => Object.entries<unknown>(one[part] ?? {})))
  const names = new Set(entries.map(([name]) => name))
  if (names.size < entries.length) throw new Error(`A name is declared twice in ${parts.join(' and ')}.`)
  return Object.fromEntries(entries) as Record<Names<Name>, Values<Name>>
}

/** Returns the names of a part in the form that `z.enum` accepts. */
function namesOf<Name extends string>(part: Readonly<Record<Name, unknown>>): [Name, ...Name[]] {
  return Object.keys(part) as [Name, ...Name[]]
}

/** Permissions of all rooms, each with its least powerful role and its label. */
export const permissions = collect('permissions')
export const permissionNames = namesOf(permissions)

/** Status and title of each error code that a room declares. */
export const roomErrors = collect('errors')

/** Label of each audit action. */
export const auditActions = collect('securityActions', 'workActions')
export const auditActionNames = namesOf(auditActions)

/** Each type of record that audit events are about. A permission that no room declares does not compile. */
export const auditSubjects: Readonly<Record<Names<'auditSubjects'>, { label: string; visibleTo?: Permission }>> =
  collect('auditSubjects')
export const auditSubjectTypes = namesOf(auditSubjects)

/** Actions after which a record or a value in a file may have to be withheld. An action that no room declares does not compile. */
export const withholdingActions: readonly AuditAction[] = facts.flatMap((one) =>
  'withholding' in one ? one.withholding : [],
)

/** Label of each audit action that the list of security events shows. */
export const securityActions = collect('securityActions')

/** Tables whose rows belong to a business, by the name under which merges count them. */
export const businessChildren = collect('businessChildren')
export const businessChildNames = namesOf(businessChildren)

/** Tables with further contact values of a business, which suppression and search read beside the values of the business itself. */
export const contactTables: readonly FurtherTable[] = roomFacts.flatMap(({ contactTables: ofRoom = [] }) => ofRoom)

/** Tables with names of people by which a search finds a business. */
export const namedTables: readonly NamedTable[] = roomFacts.flatMap(({ namedTables: ofRoom = [] }) => ofRoom)

/** Description of each count that an erasure returns for the rooms. */
export const erasedCounts = collect('erasedCounts')
export const erasedCountNames = namesOf(erasedCounts)

/** The capabilities that rooms implement. Each names its phase of the specification. */
export const roomCapabilities: readonly Capability[] = roomFacts.flatMap(({ capabilities = [] }) => capabilities)

const systemActors = new Set<string>(roomFacts.flatMap(({ systemActors: names = [] }) => names))

/** Returns true if the value of an actor column is the name of a part of the system. */
export function isSystemActor(key: string): key is ActorsOf<Facts> {
  return systemActors.has(key)
}
