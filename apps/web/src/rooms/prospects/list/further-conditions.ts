/** Conditions that the address holds as JSON, because one value per field cannot say them. The server judges them. */
import type { FilterInput } from '@prospect/api-client'

export type FilterCondition = FilterInput[number]

const fields: ReadonlySet<string> = new Set<FilterCondition['field']>([
  ...(['q', 'state', 'assignee', 'province', 'tag', 'doNotContact', 'hasEvidence', 'updatedAt', 'review'] as const),
  ...(['priority', 'reachable', 'eligibility', 'score'] as const),
  ...(['city', 'industry', 'sourceLabel', 'identifiers', 'createdAt', 'followUp'] as const),
])
const ops: ReadonlySet<string> = new Set<FilterCondition['op']>([
  ...(['any_of', 'none_of', 'is_empty', 'is_not_empty', 'contains', 'between', 'within_days'] as const),
])

/** null: not the JSON of a filter. */
export function readConditions(text: string): FilterInput | null {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return null
  }
  return Array.isArray(read) && read.every(isCondition) ? read : null
}

function isCondition(value: unknown): value is FilterCondition {
  if (typeof value !== 'object' || value === null) return false
  if (!('field' in value && 'op' in value && 'values' in value)) return false
  return fields.has(String(value.field)) && ops.has(String(value.op)) && Array.isArray(value.values)
}

/** The same conditions in the same order, however they were written. */
export function canonicalText(conditions: FilterInput): string {
  return JSON.stringify(conditions.map(sortedCondition).toSorted())
}

/** Values of a range have their places; the order of choices means nothing. */
function sortedCondition({ field, op, values }: FilterCondition): string {
  const isChoice = op === 'any_of' || op === 'none_of'
  const texts = values.map((value) => JSON.stringify(value))
  return JSON.stringify([field, op, isChoice ? [...new Set(texts)].toSorted() : texts])
}
