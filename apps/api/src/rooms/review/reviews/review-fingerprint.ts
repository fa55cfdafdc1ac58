import { sql } from 'kysely'
import type { FieldError } from '../../../lib/app-error.ts'
import { fingerprint, sha256 } from '../../../lib/hashing.ts'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { getNewestSequence } from '../../audit/audit.ts'
import { type Business, facts, familyOf, type OwnFact, ownFacts } from '../../businesses/businesses.ts'
import { auditActions } from '../../facts.ts'
import { evidenceStanding, findState } from './reviews.queries.ts'
import { limits } from './reviews.schema.ts'

/** Facts of the record itself. A fact without a value is left out if it was added later, so that earlier reviews stay valid. */
function reviewedFacts(business: Business): Partial<Record<OwnFact, string | number | null>> {
  const reviewed = ownFacts.filter((field) => facts[field].reviewed === 'always' || business[field] !== null)
  return Object.fromEntries(reviewed.map((field) => [field, business[field]]))
}

/**
 * Returns a hash of the facts of a record, its evidence and the records merged into it. Tags, assignee and pipeline state are not included: they are
 * work on the record rather than facts, so a change of them does not make a review outdated.
 */
export async function hashFacts(db: Db, tenantId: string, business: Business): Promise<string> {
  const family = await familyOf(db, tenantId, business.id)
  const { name, address, emails, phones, domains, status } = business
  const plain = (all: Business['emails']) => all.map(({ value, region = null }) => [value, region])
  return fingerprint({
    facts: { name, ...reviewedFacts(business), address, status },
    identifiers: [emails, phones, domains].map(plain),
    evidence: await evidenceStanding(db, tenantId, family),
    family,
  })
}

/**
 * Fingerprint of a record for its reviewer. `text` is sent to the client; it begins with the audit position, so that changes since then can be
 * listed.
 */
export type ReviewFingerprint = { text: string; factsHash: string }

/**
 * Returns the fingerprint of the current facts and the newest review. Of two concurrent decisions the second one fails, because the first one changes
 * the fingerprint.
 */
export async function fingerprintOf(db: Db, tenantId: string, business: Business): Promise<ReviewFingerprint> {
  const factsHash = await hashFacts(db, tenantId, business)
  const state = await findState(db, { tenantId, businessId: business.id })
  const seen = sha256(`${factsHash}\n${state?.review_id ?? ''}\n${state?.state ?? ''}`)
  return { text: `${await getNewestSequence(db, tenantId)}.${seen}`, factsHash }
}

/** Returns true if two fingerprints cover the same facts and the same review. The audit position is ignored. */
export function isSameSight(one: string, other: string): boolean {
  return one.slice(one.indexOf('.') + 1) === other.slice(other.indexOf('.') + 1)
}

/** Actions that can change the facts that a reviewer saw. */
const changing = [
  'business.edit',
  'business.erase',
  'evidence.add',
  'matching.merge',
  'matching.reverse',
  'review.decide',
]

const readFacts = jsonColumn({
  parse: (value) => (typeof value === 'object' && value !== null ? Object.keys(value) : []),
})

/** Returns the changes of the record since it was opened with this fingerprint, oldest first: actions and field names, no values. */
export async function changesSince(
  db: Db,
  tenantId: string,
  businessId: string,
  opened: string,
): Promise<FieldError[]> {
  const sequence = Number.parseInt(opened, 10)
  if (!Number.isSafeInteger(sequence)) return []
  const family = await familyOf(db, tenantId, businessId)
  const { rows } = await sql<{ action: string; at: string; after_json: string | null }>`
    SELECT e.action, e.at, e.after_json FROM audit_events e
    WHERE e.tenant_id = ${tenantId} AND e.business_id IN ${inList(family)} AND e.sequence > ${sequence}
      AND e.action IN ${inList(changing)}
    ORDER BY e.sequence LIMIT ${limits.changesListed}`.execute(db)
  return rows.map(({ action, at, after_json }) => ({
    path: 'fingerprint',
    code: action,
    message: [labelOf(action), at, ...(after_json === null ? [] : [readFacts(after_json).join(', ')])].join(' · '),
  }))
}

function labelOf(action: string): string {
  return new Map<string, string>(Object.entries(auditActions)).get(action) ?? action
}
