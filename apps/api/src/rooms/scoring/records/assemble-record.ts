import { objectOf } from '../../../lib/map-values.ts'
import {
  columnOf,
  type FactField,
  fold,
  isContactFact,
  type SignalValues,
  storedFacts,
  valueSignals,
} from '../../businesses/businesses.pure.ts'
import { relationTo, type StatedFact } from '../../evidence/evidence.thread.ts'
import { hostOfAddress, isFreeMailDomain } from '../../normalization/normalization.ts'
import type { BusinessRow, ClaimRow, IdentifierRow, InteractionRow } from './record-rows.queries.ts'
import {
  type FieldEvidence,
  type IdentifierCounts,
  noEvidence,
  placeOf,
  readLimits,
  type ScoringRecord,
} from './scoring-record.ts'

/** The rows of one record; `claims` and `interactions` include those of all records merged into it, newest first. */
export type RecordRows = {
  business: BusinessRow
  identifiers: readonly IdentifierRow[]
  claims: readonly ClaimRow[]
  interactions: readonly InteractionRow[]
  strongDuplicates: number
}

const confidenceRanks = { low: 0, medium: 1, high: 2 } as const

/** Builds the record that scoring rules read from its database rows. Throws when a stored value cannot be read. */
export function assembleRecord({
  business,
  identifiers,
  claims,
  interactions,
  strongDuplicates,
}: RecordRows): ScoringRecord {
  const tags: unknown = JSON.parse(business.tags)
  if (!Array.isArray(tags)) throw new Error('The tags of a record cannot be read.')
  return {
    id: business.id,
    createdAt: Date.parse(business.created_at),
    isDoNotContact: business.do_not_contact === 1,
    isMatched: business.is_matched === 1,
    state: business.pipeline_state,
    province: business.province_code,
    ...valuesOf(business),
    stated: statedBits(business, identifiers),
    tags: tags.map((tag) => String(tag).toLowerCase()),
    assigneeId: business.assignee_id,
    emails: countsOf(identifiers, 'email'),
    phones: countsOf(identifiers, 'phone'),
    domains: countsOf(identifiers, 'domain'),
    mailDomain: mailDomainOf(identifiers),
    strongDuplicates,
    evidence: claims.length === 0 ? noEvidence : evidenceOf(claims, business, identifiers),
    interactions: interactions.length === 0 ? none : interactions.slice(0, readLimits.interactions).map(toInteraction),
    hasMoreInteractions: interactions.length > readLimits.interactions,
  }
}

const none: readonly never[] = []

function toInteraction({ occurred_at: at, outcome }: InteractionRow) {
  return { at: Date.parse(at), outcome }
}

function valuesOf(business: BusinessRow): SignalValues {
  return objectOf<SignalValues>(valueSignals, (field) => {
    const value = business[columnOf(field)]
    return typeof value === 'string' ? fold(value) : value
  })
}

const singleFields = storedFacts.map((field) => ({ column: columnOf(field), bit: 1 << placeOf(field) }))
const identifierBits = { email: 1 << placeOf('email'), phone: 1 << placeOf('phone'), domain: 1 << placeOf('domain') }

function statedBits(business: BusinessRow, identifiers: readonly IdentifierRow[]): number {
  let stated = 0
  for (const { column, bit } of singleFields) if (business[column] !== null) stated |= bit
  for (const { kind } of identifiers) stated |= identifierBits[kind]
  return stated
}

const noIdentifiers: IdentifierCounts = { certain: 0, uncertain: 0 }

function countsOf(identifiers: readonly IdentifierRow[], kind: IdentifierRow['kind']): IdentifierCounts {
  let [certain, uncertain] = [0, 0]
  for (const one of identifiers) {
    if (one.kind !== kind) continue
    if (one.normalized === null) uncertain += 1
    else certain += 1
  }
  return certain + uncertain === 0 ? noIdentifiers : { certain, uncertain }
}

function mailDomainOf(identifiers: readonly IdentifierRow[]): ScoringRecord['mailDomain'] {
  let found: ScoringRecord['mailDomain'] = null
  for (const { kind, normalized } of identifiers) {
    if (kind !== 'email' || normalized === null) continue
    if (!isFreeMailDomain(hostOfAddress(normalized))) return 'own'
    found = 'free_mail'
  }
  return found
}

/** Groups the claims by field, newest first within a field. */
function evidenceOf(
  claims: readonly ClaimRow[],
  business: BusinessRow,
  identifiers: readonly IdentifierRow[],
): (FieldEvidence | null)[] {
  const byField: (FieldEvidence | null)[] = [...noEvidence]
  for (let from = 0; from < claims.length; ) {
    const field = claims[from]?.field as FactField
    let to = from + 1
    while (claims[to]?.field === field) to += 1
    byField[placeOf(field)] = summarise(claims.slice(from, to), factsOf(field, business, identifiers))
    from = to
  }
  return byField
}

function factsOf(field: FactField, business: BusinessRow, identifiers: readonly IdentifierRow[]): StatedFact[] {
  if (isContactFact(field))
    return identifiers.flatMap(({ kind, original: value, region }) =>
      kind === field ? [{ field, value, region }] : [],
    )
  const value = business[columnOf(field)]
  return value === null ? [] : [{ field, value: String(value), region: null }]
}

function summarise(rows: readonly ClaimRow[], facts: readonly StatedFact[]): FieldEvidence {
  const evidence: FieldEvidence = {
    claims: rows.length,
    supporting: 0,
    contradicting: 0,
    sources: 0,
    confidence: -1,
    newest: [-1, -1, -1],
    isPartial: rows.length > readLimits.claimsPerField,
    isBlocked: false,
    restsOn: [],
  }
  const compare = facts.map((fact): Compared => ({ fact, relation: undefined }))
  const sources = new Set<string>()
  const contradicting: FieldEvidence['restsOn'] = []
  const ofBlocked: FieldEvidence['restsOn'] = []
  for (const claim of rows.slice(0, readLimits.claimsPerField)) {
    const says = comparedWith(compare, claim)
    if (says === 'unrelated' || says === 'undecided') continue
    const capturedAt = Date.parse(claim.observed_at ?? claim.captured_at)
    const rest = {
      evidenceId: claim.id,
      source: claim.source,
      capturedAt,
      agrees: says === 'supports',
      isOfBlocked: claim.is_of_blocked === 1,
    }
    // Evidence of a do-not-contact record was collected about somebody who may not be contacted, so it decides nothing for the survivor.
    if (rest.isOfBlocked) {
      if (ofBlocked.length < readLimits.restsOn) ofBlocked.push(rest)
      continue
    }
    if (says === 'contradicts') {
      evidence.contradicting += 1
      if (contradicting.length < readLimits.restsOn) contradicting.push(rest)
      continue
    }
    evidence.supporting += 1
    sources.add(claim.source)
    const rank = confidenceRanks[claim.confidence]
    evidence.confidence = Math.max(evidence.confidence, rank)
    for (let least = 0; least <= rank; least++)
      evidence.newest[least as 0 | 1 | 2] = Math.max(evidence.newest[least as 0 | 1 | 2], capturedAt)
    if (evidence.restsOn.length < readLimits.restsOn) evidence.restsOn.push(rest)
  }
  evidence.sources = sources.size
  evidence.isBlocked = ofBlocked.length > 0 && evidence.supporting + evidence.contradicting === 0
  const used = [...evidence.restsOn, ...contradicting]
  evidence.restsOn = (evidence.isBlocked ? ofBlocked : used).slice(0, readLimits.restsOn)
  return evidence
}

type Relation = ReturnType<ReturnType<typeof relationTo>>['relation']
type Compared = { fact: StatedFact; relation: ReturnType<typeof relationTo> | undefined }

/**
 * Returns the relation of a claim to the stated values of its field. Compares the text first, because reading a value takes microseconds.
 */
function comparedWith(compared: Compared[], { value }: ClaimRow): Relation {
  for (const { fact } of compared) if (fact.value === value) return 'supports'
  let says: Relation = 'unrelated'
  for (const one of compared) {
    one.relation ??= relationTo(one.fact)
    const { relation } = one.relation(value)
    if (relation === 'supports') return relation
    if (relation !== 'unrelated') says = relation
  }
  return says
}
