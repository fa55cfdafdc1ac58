import { type Cursors, newestFirst, type Page, type PageQuery } from '../../http/pagination.ts'
import { actorKey } from '../../lib/actor.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import { getActiveBusiness, getBusiness, markHasEvidence } from '../businesses/businesses.ts'
import {
  type ClaimRow,
  findEvidence,
  insertEvidence,
  selectEvidence,
  selectStandingClaims,
} from './evidence.queries.ts'
import { agreement, type EvidenceField, type StatedFact, standingOf, statedFacts } from './evidence.rules.ts'
import { type AddEvidence, type Evidence, type Fact, limits } from './evidence.schema.ts'

/*
 * Evidence is what a person saw, where and when (specification, Resources: Evidence observation). It is written once: a correction
 * is a new observation that supersedes the old one, and both stay.
 */

/** Clocks of people and machines differ a little; a capture further ahead than this is a mistake. */
const FUTURE_TOLERANCE_MS = 5 * 60_000
/** Claims about one field of a business that are weighed, newest first: however many speak of another field, each is heard. */
const CLAIMS_WEIGHED = 1_000

/** Adds an observation to an active business. Errors: `not_found`, `business_not_active`, `invalid_request`, `evidence_already_superseded`. */
export async function addEvidence(tx: Tx, businessId: string, input: AddEvidence): Promise<Evidence> {
  const { tenantId } = tx.actor
  await getActiveBusiness(tx, businessId)
  requireNotInFuture('capturedAt', input.capturedAt, tx.at)
  if (input.supersedesId != null) await requireSupersedable(tx, businessId, input.supersedesId)
  const id = newId()
  await insertEvidence(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    field: input.field ?? null,
    value: input.value ?? null,
    observation: input.observation ?? null,
    source_reference: input.sourceReference ?? null,
    source_label: input.sourceLabel ?? null,
    captured_at: input.capturedAt,
    observed_at: input.observedAt ?? null,
    confidence: input.confidence,
    context: input.context ?? null,
    url: input.url ?? null,
    supersedes_id: input.supersedesId ?? null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  await markHasEvidence(tx, businessId)
  await tx.record({ subject: { type: 'evidence', id }, businessId, after: input })
  return getEvidence(tx.db, tenantId, businessId, id)
}

export async function getEvidence(db: Tx['db'], tenantId: string, businessId: string, id: string): Promise<Evidence> {
  const evidence = await findEvidence(db, tenantId, businessId, id)
  if (evidence === undefined) throw notFound()
  return evidence
}

function requireNotInFuture(path: string, value: string, now: string): void {
  if (Date.parse(value) <= Date.parse(now) + FUTURE_TOLERANCE_MS) return
  const message = 'This time is in the future.'
  throw new AppError('invalid_request', message, { errors: [{ path, code: 'in_future', message }] })
}

async function requireSupersedable(tx: Tx, businessId: string, id: string): Promise<void> {
  const superseded = await findEvidence(tx.db, tx.actor.tenantId, businessId, id)
  if (superseded === undefined) {
    const message = 'There is no such evidence on this business.'
    throw new AppError('invalid_request', message, {
      errors: [{ path: 'supersedesId', code: 'unknown_evidence', message }],
    })
  }
  if (superseded.supersededById !== null) {
    throw new AppError(
      'evidence_already_superseded',
      'This evidence was superseded by another observation already; supersede that one.',
    )
  }
}

/** All observations of one business, newest first, superseded ones among them. */
export async function listEvidence(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  businessId: string,
  query: PageQuery,
): Promise<Page<Evidence>> {
  await getBusiness(store.reader, tenantId, businessId)
  return newestFirst({
    cursors,
    binding: ['evidence', tenantId, businessId],
    query,
    fetch: (before, limit) => selectEvidence(store.reader, { tenantId, businessId, before, limit }),
    toItem: (row) => row,
  })
}

/** Every value that the record states, with the evidence for and against it. Superseded evidence no longer speaks. */
export async function listFacts(store: Store, tenantId: string, businessId: string): Promise<Fact[]> {
  const business = await getBusiness(store.reader, tenantId, businessId)
  const facts = statedFacts(business)
  const claims = new Map<EvidenceField, ClaimRow[]>()
  for (const field of new Set(facts.map((fact) => fact.field))) {
    const wanted = { tenantId, businessId, field, limit: CLAIMS_WEIGHED }
    claims.set(field, await selectStandingClaims(store.reader, wanted))
  }
  return facts.map((fact) => weigh(fact, claims.get(fact.field) ?? []))
}

function weigh(fact: StatedFact, claims: readonly ClaimRow[]): Fact {
  const related = claims.flatMap(({ field, value, ...claim }) => {
    if (field === null || value === null) return []
    const answer = agreement(fact, { field, value })
    return answer === 'unrelated' ? [] : [{ ...claim, value, agrees: answer === 'agrees' }]
  })
  const supporting = related.filter(({ agrees }) => agrees).length
  const contradicting = related.length - supporting
  return {
    field: fact.field,
    value: fact.value,
    standing: standingOf({ supporting, contradicting }),
    supporting,
    contradicting,
    evidence: related.slice(0, limits.evidencePerFact).map((claim) => ({
      id: claim.id,
      value: claim.value,
      confidence: claim.confidence,
      agrees: claim.agrees,
      observedAt: claim.observed_at,
      capturedAt: claim.captured_at,
      sourceReference: claim.source_reference,
      sourceLabel: claim.source_label,
    })),
  }
}

export { addEvidenceSchema } from './evidence.schema.ts'
