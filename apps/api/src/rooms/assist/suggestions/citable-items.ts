import { daysAfter } from '../../../lib/clock.ts'
import { type FactField, facts, getBusiness, isContactFact } from '../../businesses/businesses.ts'
import { contentHashOf, contradictedFields, type Evidence, findEvidenceOf } from '../../evidence/evidence.ts'
import { agree } from '../../normalization/normalization.ts'
import type { CheckedSelection, CheckView } from '../prompts/check-selection.ts'
import type { PromptItem } from '../prompts/compose-prompt.rules.ts'
import type { CitableItem, SentPart } from './validate-answer.rules.ts'

/** The items of a prompt as they stand in this view: whether each is current, stale or contradicted. */
export async function citableItems(
  view: CheckView,
  { items, business: { id: businessId }, ready }: CheckedSelection,
): Promise<CitableItem[]> {
  const { db, tenantId, at } = view
  const business = await getBusiness(db, tenantId, businessId)
  const ids = items.map(({ evidence }) => evidence.id)
  const found = new Map((await findEvidenceOf(db, tenantId, businessId, ids)).map((row) => [row.id, row]))
  const contradicted = new Set(await contradictedFields(db, tenantId, business))
  const conflicting = conflictingFields(items.map(({ evidence }) => evidence))
  const { freshnessDays } = ready.content
  return items.map(({ evidence, hash, prompt }) => {
    const row = found.get(evidence.id)
    const { field, capturedAt, observedAt } = evidence
    const days = freshnessDays[field ?? 'observation']
    return {
      item: prompt.item,
      evidenceId: evidence.id,
      hash,
      isCurrent: row !== undefined && row.supersededById === null && contentHashOf(row) === hash,
      isStale: days !== undefined && daysAfter(observedAt ?? capturedAt, days) <= at,
      isContradicted: field !== null && (contradicted.has(field) || conflicting.has(field)),
    }
  })
}

/** Returns the parts of each item of the prompt from which an answer may quote. */
export function quotableParts(items: readonly PromptItem[]): SentPart[] {
  return items.map(({ item, value, text }) => ({ item, parts: [value, text].filter((part) => part !== undefined) }))
}

/** Fields of one value of which the selection itself states different values. */
function conflictingFields(evidence: readonly Evidence[]): Set<FactField> {
  const stated = new Map<FactField, string[]>()
  const conflicting = new Set<FactField>()
  for (const { field, value } of evidence) {
    if (field === null || value === null || isContactFact(field)) continue
    const known = stated.get(field) ?? []
    if (known.some((other) => agree(facts[field].compare, value, other).answer === 'different')) conflicting.add(field)
    stated.set(field, [...known, value])
  }
  return conflicting
}
