import { z } from 'zod'
import { type Condition, conditionSchema, FILTER_SCHEMA_VERSION } from './conditions.schema.ts'

/** A condition as stored with a saved filter, a bulk action or an export. It can be unreadable, because an older build wrote it or an erasure emptied it. */
export type StoredCondition = Record<string, unknown>
export const storedConditions = z.array(z.record(z.string(), z.unknown()))

/** Returns the condition that replaces one whose values an erasure removed. */
export const erasedCondition = (field: string, op: unknown): StoredCondition => ({
  field,
  op,
  values: [],
  erased: true,
})

export type ReadConditions = {
  conditions: Condition[]
  problems: { field: string; problem: 'unreadable' | 'erased' }[]
}

/**
 * Parses the conditions of a stored filter and upgrades older versions; only one version exists so far. A condition with an unknown field, operator
 * or value becomes a problem of the filter; the other conditions remain usable.
 */
export function readStoredConditions(text: string, schemaVersion: number): ReadConditions {
  const stored = storedConditions.safeParse(JSON.parse(text))
  const problem = (one: StoredCondition, reason: 'unreadable' | 'erased') => ({
    field: typeof one.field === 'string' ? one.field : 'filter',
    problem: reason,
  })
  if (!stored.success || schemaVersion > FILTER_SCHEMA_VERSION)
    return { conditions: [], problems: [problem({}, 'unreadable')] }
  const read: ReadConditions = { conditions: [], problems: [] }
  for (const one of stored.data) {
    const parsed = conditionSchema.safeParse(one)
    if (parsed.success) read.conditions.push(parsed.data)
    else read.problems.push(problem(one, one.erased === true ? 'erased' : 'unreadable'))
  }
  return read
}
