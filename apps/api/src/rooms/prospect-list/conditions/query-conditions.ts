import { invalidRequest } from '../../../http/validation.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { keysOf } from '../../../lib/keys-of.ts'
import type { ListBusinesses } from '../prospect-list.schema.ts'
import { type Condition, conditionLimits, conditionsInput } from './conditions.schema.ts'

/** Parameters of a list that stand for conditions. */
export type FilterParameters = Omit<ListBusinesses, 'conditions' | 'sort' | 'limit' | 'cursor'>

type Notations = {
  [Name in keyof Required<FilterParameters>]: (value: NonNullable<FilterParameters[Name]>) => Condition
}

/** Conditions of the parameters: each parameter is the short form of a condition with one value. */
const notations: Notations = {
  q: (q) => ({ field: 'q', op: 'contains', values: [q] }),
  status: (status) => ({ field: 'status', op: 'any_of', values: [status] }),
  state: (state) => ({ field: 'state', op: 'any_of', values: [state] }),
  assignee: (assignee) =>
    assignee === 'none'
      ? { field: 'assignee', op: 'is_empty', values: [] }
      : { field: 'assignee', op: 'any_of', values: [assignee] },
  tag: (tag) => ({ field: 'tag', op: 'any_of', values: [tag] }),
  province: (province) =>
    province === 'none'
      ? { field: 'province', op: 'is_empty', values: [] }
      : { field: 'province', op: 'any_of', values: [province] },
  doNotContact: (isBlocked) => ({ field: 'doNotContact', op: 'any_of', values: [isBlocked] }),
  hasEvidence: (hasEvidence) => ({ field: 'hasEvidence', op: 'any_of', values: [hasEvidence] }),
  updatedFrom: (from) => ({ field: 'updatedAt', op: 'between', values: [from, null] }),
  updatedTo: (to) => ({ field: 'updatedAt', op: 'between', values: [null, to] }),
  updatedWithinDays: (days) => ({ field: 'updatedAt', op: 'within_days', values: [days] }),
  priority: (band) => ({ field: 'priority', op: 'any_of', values: [band] }),
  reachable: (band) => ({ field: 'reachable', op: 'any_of', values: [band] }),
  eligibility: (eligibility) => ({ field: 'eligibility', op: 'any_of', values: [eligibility] }),
  scoreFrom: (from) => ({ field: 'score', op: 'between', values: [from, null] }),
  scoreTo: (to) => ({ field: 'score', op: 'between', values: [null, to] }),
  review: (review) => ({ field: 'review', op: 'any_of', values: [review] }),
}

/** Returns the conditions of a list: those of its parameters, and those of `conditions`. Errors: `invalid_request`. */
export function conditionsOfQuery(query: ListBusinesses): Condition[] {
  const short = keysOf(notations).flatMap((name) => conditionOf(name, query[name]) ?? [])
  const all = [...short, ...readConditions(query.conditions ?? '[]')]
  if (all.length <= conditionLimits.conditions) return all
  throw invalidField('conditions', 'too_many', `A list has at most ${conditionLimits.conditions} conditions.`)
}

function conditionOf<Name extends keyof Notations>(name: Name, value: FilterParameters[Name]): Condition | undefined {
  return value === undefined || value === null ? undefined : notations[name](value)
}

/** Parses the conditions in a query. Errors: `invalid_request`. */
export function readConditions(conditions: string): Condition[] {
  let value: unknown
  try {
    value = JSON.parse(conditions)
  } catch {
    throw invalidField('conditions', 'not_json', 'Write the conditions as a JSON list.')
  }
  const parsed = conditionsInput.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error.issues.map((issue) => ({ ...issue, path: ['conditions', ...issue.path] })))
}
