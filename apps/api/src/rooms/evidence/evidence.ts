import { type Actor, actorKey, type UserActor } from '../../lib/actor.ts'
import { AppError, invalidField, namesNothing, notFound } from '../../lib/app-error.ts'
import { isInFuture } from '../../lib/clock.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import {
  type Business,
  businessChild,
  countNewEvidence,
  type FactField,
  familiesOf,
  getActiveBusiness,
  getBusiness,
  hidesWrittenFor,
  inFamily,
  isContactFact,
  markMatched,
  newestIdFirst,
  throughMerges,
} from '../businesses/businesses.ts'
import {
  type ContactValue,
  findHiddenValues,
  type GateReader,
  gate,
  HIDDEN,
  insertEvidenceKeys,
} from '../contact-gate/contact-gate.ts'
import { getTenant } from '../identity/identity.ts'
import { type Agreement, valuesIn } from '../normalization/normalization.ts'
import { type ClaimRelation, factSupport, relationTo, type StatedFact } from './claims.rules.ts'
import {
  type ClaimRow,
  findEvidence,
  insertEvidence,
  selectClaimedFields,
  selectCurrentClaims,
  selectEvidence,
  selectNamed,
} from './evidence.queries.ts'
import { spanOf, statedFacts } from './evidence.rules.ts'
import { type AddEvidence, type Evidence, type Fact, limits } from './evidence.schema.ts'

/*
 * Evidence records what a person observed, where and when (specification, Resources: Evidence observation). An observation is write-once. A
 * correction is a new observation that supersedes the old one; both are kept.
 */

/** Maximum number of claims that are evaluated per field of a business; only the newest ones count. */
const CLAIMS_WEIGHED = 1_000

/** Maximum number of observations that one query can request by id. */
const MAX_NAMED = 2_000

/**
 * Adds an observation to an active business. If it supersedes an observation of a merged record, it is stored with that record, and reversing the
 * merge separates it together with the record. `sourceRecordId`: the source record from which the observation was selected. A claim with a suppressed
 * address, number or domain marks the business do not contact. Returns the id and the business with which it is stored. Errors: `not_found`, `business_not_active`, `invalid_request`,
 * `evidence_already_superseded`.
 */
export async function addEvidence(
  tx: Tx,
  businessId: string,
  input: AddEvidence,
  { sourceRecordId = null }: { sourceRecordId?: string | null } = {},
): Promise<{ id: string; businessId: string }> {
  const { tenantId } = tx.actor
  await getActiveBusiness(tx, businessId)
  const { captured, observed } = await timesOf(tx, input)
  const superseded = input.supersedesId == null ? null : await requireSupersedable(tx, businessId, input.supersedesId)
  const home = superseded?.businessId ?? businessId
  const id = newId()
  await insertEvidence(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: home,
    field: input.field ?? null,
    value: input.value ?? null,
    observation: input.observation ?? null,
    source_reference: input.sourceReference ?? null,
    source_label: input.sourceLabel ?? null,
    captured_at: captured.from,
    captured_on: input.capturedOn ?? null,
    observed_at: observed?.from ?? null,
    observed_on: input.observedOn ?? null,
    confidence: input.confidence,
    context: input.context ?? null,
    url: input.url ?? null,
    supersedes_id: input.supersedesId ?? null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    source_record_id: sourceRecordId,
  })
  await countNewEvidence(tx, home)
  const told = sourceRecordId === null ? input : { ...input, sourceRecordId }
  await tx.record({ action: 'evidence.add', subject: { type: 'evidence', id }, businessId: home, after: told })
  await askTheGate(tx, home, input)
  return { id, businessId: home }
}

/** Checks the times of capture and observation. If only the day is known, it is rejected only if no time of the day would be valid. */
async function timesOf(tx: Tx, input: AddEvidence) {
  const { capturedAt, capturedOn, observedAt, observedOn } = input
  const { timeZone } = await getTenant(tx.db, tx.actor.tenantId)
  const captured = spanOf(capturedAt, capturedOn, timeZone)
  if (captured === null) throw new Error('Evidence without a capture time.')
  const observed = spanOf(observedAt, observedOn, timeZone)
  if (isInFuture(captured.from, tx.at)) {
    const [path, what] = capturedOn == null ? ['capturedAt', 'time'] : ['capturedOn', 'day']
    throw invalidField(path, 'in_future', `This ${what} is in the future.`)
  }
  if (observed !== null && observed.from > captured.until) {
    const path = observedOn == null ? 'observedAt' : 'observedOn'
    throw invalidField(path, 'after_capture', 'The observation cannot be later than its capture.')
  }
  return { captured, observed }
}

/** Checks a contact value in evidence at the suppression gate, in the same way as values of the record. */
async function askTheGate(tx: Tx, businessId: string, { field, value }: AddEvidence): Promise<void> {
  const kind = field != null && isContactFact(field) ? field : undefined
  if (kind === undefined || value == null) return
  await insertEvidenceKeys(tx, businessId, { kind, value })
  await markMatched(tx, businessId, await gate(tx, tx.actor.tenantId, [{ kind, value }]))
}

/** Returns the contact values of an observation that mark no record: the URL of a page can be of anybody. */
function contactsOf({ url }: Pick<Evidence, 'url'>): ContactValue[] {
  return url === null ? [] : [{ kind: 'domain', value: url }]
}

/**
 * Returns evidence of a business as this reader may see it: without contact values and words of do not contact records, and of observations from a
 * suppressed page, if the reader may not see them.
 */
export async function evidenceForReader(
  asker: GateReader,
  actor: Actor,
  business: Business,
  evidence: Evidence,
): Promise<Evidence> {
  const isHidden = await hidesWrittenFor(asker.db, actor, business, [evidence.businessId])
  const isSuppressed = (await findHiddenValues(asker, actor, contactsOf(evidence))).size > 0
  return isHidden(evidence.businessId) || isSuppressed ? withoutValues(evidence) : evidence
}

/** Returns one observation of the business, or of a record merged into it, as this reader may see it. Errors: `not_found`. */
export async function getEvidenceForReader(
  asker: GateReader,
  actor: Actor,
  { businessId, id }: { businessId: string; id: string },
): Promise<Evidence> {
  const evidence = await getEvidence(asker.db, actor.tenantId, businessId, id)
  return evidenceForReader(asker, actor, await getBusiness(asker.db, actor.tenantId, businessId), evidence)
}

function withoutValues(evidence: Evidence): Evidence {
  const { field, observation, context, url, sourceReference, sourceLabel } = evidence
  const { value } = evidence
  return {
    ...evidence,
    value: field === null || value === null ? value : withoutContact(field, value),
    observation: hide(observation),
    context: hide(context),
    url: hide(url),
    sourceReference: hide(sourceReference),
    sourceLabel: hide(sourceLabel),
  }
}

function hide(value: string | null): string | null {
  return value === null ? null : HIDDEN
}

/** Returns one observation of the business or of a record merged into it. Errors: `not_found`. */
export async function getEvidence(db: Tx['db'], tenantId: string, businessId: string, id: string): Promise<Evidence> {
  const evidence = await inFamily(db, { tenantId, businessId }, (one) => findEvidence(db, tenantId, one, id))
  if (evidence === undefined) throw notFound()
  return evidence
}

/** Returns those observations of the business, or of records merged into it, that have one of these ids, ordered by id. At most `MAX_NAMED` ids. */
export async function findEvidenceOf(
  db: Tx['db'],
  tenantId: string,
  businessId: string,
  ids: readonly string[],
): Promise<Evidence[]> {
  if (ids.length > MAX_NAMED) throw new RangeError(`More than ${MAX_NAMED} observations were named.`)
  return (await findEvidenceOfEach(db, tenantId, new Map([[businessId, ids]]))).get(businessId) ?? []
}

/** `findEvidenceOf` for the businesses of a page, each with its ids. */
export async function findEvidenceOfEach(
  db: Tx['db'],
  tenantId: string,
  named: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, Evidence[]>> {
  const wanted = [...named].filter(([, ids]) => ids.length > 0)
  if (wanted.length === 0) return new Map()
  const families = await familiesOf(
    db,
    tenantId,
    wanted.map(([businessId]) => businessId),
  )
  const rows = await selectNamed(
    db,
    tenantId,
    [...families.values()].flat(),
    wanted.flatMap(([, ids]) => ids),
  )
  return new Map(
    wanted.map(([businessId, ids]) => {
      const [family, own] = [new Set(families.get(businessId)), new Set(ids)]
      return [businessId, rows.filter((row) => family.has(row.businessId) && own.has(row.id))]
    }),
  )
}

async function requireSupersedable(tx: Tx, businessId: string, id: string): Promise<Evidence> {
  const { tenantId } = tx.actor
  const superseded = await inFamily(tx.db, { tenantId, businessId }, (one) => findEvidence(tx.db, tenantId, one, id))
  if (superseded === undefined) {
    throw namesNothing('supersedesId', 'This prospect has no such evidence.')
  }
  if (superseded.supersededById !== null) {
    throw new AppError(
      'evidence_already_superseded',
      'A newer observation already replaced this evidence. Correct the newer observation.',
    )
  }
  return superseded
}

/** Evidence as children of a business: observations of the business and of records merged into it, newest first, including superseded ones. */
export const evidenceOfBusiness = businessChild<Evidence, Evidence>({
  name: 'evidence',
  table: 'evidence',
  select: (db, { before: [before] = [], ...wanted }) => selectEvidence(db, { ...wanted, before }),
  businessOf: (one) => one.businessId,
  contactsOf,
  toItem: (one, { isHidden }) => (isHidden ? withoutValues(one) : one),
})

/**
 * Returns every value of the record with the evidence that supports or contradicts it. Superseded evidence does not count. `shown`: maximum number of
 * claims listed with each value.
 */
export async function listFacts(
  store: Store,
  actor: UserActor,
  businessId: string,
  shown: (claims: RelatedClaim[]) => RelatedClaim[] = newestClaims,
): Promise<Fact[]> {
  const { tenantId } = actor
  const business = await getBusiness(store.reader, tenantId, businessId)
  const facts = statedFacts(business)
  const claims = new Map<FactField, ClaimRow[]>()
  // Read all claims before comparing them, so that they are of one state of the store. Comparing a thousand claims with each of twenty facts takes
  // several turns of the event loop.
  const breathe = createBreather()
  for (const field of new Set(facts.map((fact) => fact.field))) {
    // Request one row more than the limit to see if there are more.
    const wanted = { tenantId, field, limit: CLAIMS_WEIGHED + 1 }
    const current = await throughMerges(
      store.reader,
      { tenantId, businessId },
      (id) => selectCurrentClaims(store.reader, { ...wanted, businessId: id }),
      newestIdFirst,
    )
    claims.set(field, current)
  }
  const writtenFor = [...claims.values()].flat().map((claim) => claim.business_id)
  const isHidden = await hidesWrittenFor(store.reader, actor, business, writtenFor)
  const answer: Fact[] = []
  for (const fact of facts) {
    const all = claims.get(fact.field) ?? []
    const related = await relatedClaims(fact, all, breathe)
    const weighed = {
      ...weigh(fact, related, isHidden, shown),
      newestCounted: countedOf(all),
      doubts: business.placeDoubts.filter(({ field }) => field === fact.field),
    }
    answer.push(isHidden(businessId) ? { ...weighed, value: withoutContact(fact.field, fact.value) } : weighed)
    await breathe()
  }
  return answer
}

/** A value of a record that evidence spells otherwise. */
export type OtherSpelling = { field: FactField; value: string; claimed: string } & Agreement

/**
 * Returns the values of a record of which evidence gives another spelling, with the newest claim of each answer, and whether they agree, by the rules
 * of `listFacts`. Contact values are left out, because other values of them are no other spellings.
 */
export async function otherSpellings(db: Tx['db'], tenantId: string, business: Business): Promise<OtherSpelling[]> {
  const claimed = await throughMerges(
    db,
    { tenantId, businessId: business.id },
    (id) => selectClaimedFields(db, tenantId, id),
    () => 0,
  )
  if (claimed.length === 0) return []
  const found: OtherSpelling[] = []
  const facts = statedFacts(business).filter(({ field }) => !isContactFact(field))
  const breathe = createBreather()
  for (const fact of facts) {
    const { field, value } = fact
    if (!claimed.includes(field)) continue
    const wanted = { tenantId, field, limit: CLAIMS_WEIGHED }
    const claims = await throughMerges(
      db,
      { tenantId, businessId: business.id },
      (id) => selectCurrentClaims(db, { ...wanted, businessId: id }),
      newestIdFirst,
    )
    const newest = new Map<Agreement['answer'], OtherSpelling>()
    for (const { value: claimedValue, agreement } of await relatedClaims(fact, claims, breathe))
      if (claimedValue !== value && !newest.has(agreement.answer))
        newest.set(agreement.answer, { field, value, claimed: claimedValue, ...agreement })
    found.push(...newest.values())
  }
  return found
}

/** Returns the fields of a record that evidence contradicts, by the rules of `listFacts`. */
export async function contradictedFields(db: Tx['db'], tenantId: string, business: Business): Promise<FactField[]> {
  const spellings = await otherSpellings(db, tenantId, business)
  return spellings.filter(({ answer }) => answer === 'different').map(({ field }) => field)
}

/**
 * Hides a contact value, and a text of another field that contains an address or a number, such as the name `Jan 082 555 8802`. A host stays visible
 * there, because businesses are named after theirs.
 */
function withoutContact(field: FactField, value: string): string {
  const isContact = isContactFact(field) || valuesIn(value).some(({ kind }) => kind !== 'domain')
  return isContact ? HIDDEN : value
}

/** Hides a claim and its source, because a source is often a page of the prospect or the person who was asked. */
function hideClaim(field: FactField, claim: Fact['evidence'][number]): Fact['evidence'][number] {
  const { value, sourceReference, sourceLabel } = claim
  return {
    ...claim,
    value: withoutContact(field, value),
    sourceReference: hide(sourceReference),
    sourceLabel: hide(sourceLabel),
  }
}

/** A claim about a field, and how it relates to the value of the record. */
export type RelatedClaim = Omit<ClaimRow, 'field' | 'value'> & { value: string } & ClaimRelation

function newestClaims(claims: RelatedClaim[]): RelatedClaim[] {
  return claims.slice(0, limits.evidencePerFact)
}

/** Returns the claims that say something about a fact, each with its relation to it. `breathe` is called between comparisons. */
async function relatedClaims(
  fact: StatedFact,
  claims: readonly ClaimRow[],
  breathe: () => Promise<void>,
): Promise<RelatedClaim[]> {
  const relation = relationTo(fact)
  const related: RelatedClaim[] = []
  for (const { field, value, ...claim } of claims.slice(0, CLAIMS_WEIGHED)) {
    if (field === null || value === null) continue
    const found = relation(value)
    if (found.relation !== 'unrelated') related.push({ ...claim, value, ...found })
    await breathe()
  }
  return related
}

/** Returns the number of newest claims that are compared if there are more; else null. */
function countedOf({ length }: readonly ClaimRow[]): number | null {
  return length > CLAIMS_WEIGHED ? CLAIMS_WEIGHED : null
}

function weigh(
  fact: StatedFact,
  related: RelatedClaim[],
  isHidden: (businessId: string) => boolean,
  shown: (claims: RelatedClaim[]) => RelatedClaim[],
): Omit<Fact, 'newestCounted' | 'doubts'> {
  const count = (wanted: ClaimRelation['relation']) => related.filter(({ relation }) => relation === wanted).length
  const [supporting, contradicting] = [count('supports'), count('contradicts')]
  return {
    field: fact.field,
    value: fact.value,
    standing: factSupport({ supporting, contradicting }),
    supporting,
    contradicting,
    undecided: count('undecided'),
    evidence: shown(related).map((claim) => {
      const answered = {
        id: claim.id,
        value: claim.value,
        confidence: claim.confidence,
        agreement: claim.agreement.answer,
        agreementReason: claim.agreement.reason,
        capturedAt: claim.captured_at,
        capturedOn: claim.captured_on,
        observedAt: claim.observed_at,
        observedOn: claim.observed_on,
        sourceReference: claim.source_reference,
        sourceLabel: claim.source_label,
        rawState: claim.raw_state,
      }
      return isHidden(claim.business_id) ? hideClaim(fact.field, answered) : answered
    }),
  }
}

export { contentHashOf } from './evidence.rules.ts'
export {
  addEvidenceSchema,
  agreementFields,
  type Evidence,
  evidenceSchema,
  type Fact,
  limits as evidenceLimits,
} from './evidence.schema.ts'
export { refreshEvidenceCount } from './evidence-count.ts'
