/** Conditions stored in the address as JSON, because a parameter with one value cannot express them. The server validates them. */
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

/** Parses conditions; null if the text is not the JSON of a filter. */
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

/** Canonical text of conditions, independent of the order in which they were written. */
export function canonicalText(conditions: FilterInput): string {
  return JSON.stringify(conditions.map(sortedCondition).toSorted())
}

/** Sorts the values of a choice, whose order is irrelevant; the values of a range keep their positions. */
function sortedCondition({ field, op, values }: FilterCondition): string {
  const isChoice = op === 'any_of' || op === 'none_of'
  const texts = values.map((value) => JSON.stringify(value))
  return JSON.stringify([field, op, isChoice ? [...new Set(texts)].toSorted() : texts])
}
