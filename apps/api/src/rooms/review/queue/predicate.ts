import { z } from 'zod'
import { contactValue, freeText, hiddenWithObject, hidesItsObject } from '../../../http/hidden-fields.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { namesOfMembers } from '../../identity/identity.ts'
import {
  type CompiledConditions,
  type Condition,
  compileConditions,
  conditionsSchema,
  FILTER_SCHEMA_VERSION,
  type Sort,
  sorts,
} from '../../prospect-list/prospect-list.ts'
import { type ActiveScores, findActiveScores } from '../../scoring/scoring.ts'
import { wordsOf } from './predicate-words.rules.ts'

export const predicateSchema = z
  .object({
    schemaVersion: z.int(),
    filter: hidesItsObject(conditionsSchema).describe(
      'Canonical: the person in place of `me`, times in place of relative days',
    ),
    sort: z.enum(sorts),
    words: hidesItsObject(freeText()),
    hash: hiddenWithObject(z.string()),
    removed: z
      .array(z.object({ field: z.string(), value: contactValue('domain') }))
      .describe(
        'Values that no longer exist in the workspace. A former member matches the records that are still assigned to them; other values match nothing',
      ),
  })
  .meta({ id: 'Predicate', description: 'Exactly what a list, a count or a selection asked for.' })
export type Predicate = z.infer<typeof predicateSchema>

/** Conditions of the default queue: records that are due for review and may be contacted. */
export const defaultConditions: readonly Condition[] = [
  { field: 'review', op: 'any_of', values: ['due'] },
  { field: 'doNotContact', op: 'any_of', values: [false] },
]

/** A predicate with its compiled filter. Lists, counters and selections use it. */
export type CompiledPredicate = {
  predicate: Predicate
  filter: CompiledConditions['filter']
  scores: ActiveScores | undefined
}

/** Resolves conditions for one person at the current time. The default order is best score first, or oldest first if there are no scores. */
export async function compilePredicate(
  store: Store,
  actor: UserActor,
  conditions: readonly Condition[],
  sort?: Sort | null,
): Promise<CompiledPredicate> {
  const { reader: db } = store
  const scores = await findActiveScores(db, actor.tenantId)
  const { filter, resolved, removed } = await compileConditions(store, actor, conditions, {
    scores,
    now: store.clock(),
  })
  const canonical = canonicalOf(resolved)
  const chosen = sort ?? (scores === undefined ? 'createdAt' : '-score')
  const names = await namesIn(db, actor.tenantId, canonical, scores)
  const asked = { schemaVersion: FILTER_SCHEMA_VERSION, filter: canonical, sort: chosen }
  return {
    predicate: {
      ...asked,
      words: wordsOf(canonical, chosen, names),
      hash: fingerprint(asked),
      removed: removed.map(({ field, value }) => ({ field, value })),
    },
    filter,
    scores,
  }
}

/** Sorts conditions, so that equal predicates have equal text. */
export function canonicalOf(conditions: readonly Condition[]): Condition[] {
  const sorted = conditions.map(withSortedValues)
  return sorted.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Returns the condition with sorted values if their order has no meaning. Values of a range keep their order. */
function withSortedValues(condition: Condition): Condition {
  if (condition.op.endsWith('between') || condition.op.endsWith('within_days') || condition.field === 'q')
    return condition
  const values = [...new Set<unknown>(condition.values)].toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
  return { ...condition, values } as Condition
}

/** Returns the names of people and bands that the conditions refer to by id. */
async function namesIn(
  db: Db,
  tenantId: string,
  conditions: readonly Condition[],
  scores: ActiveScores | undefined,
): Promise<Map<string, string>> {
  const people = conditions.flatMap((one) => (one.field === 'assignee' ? one.values : []))
  return new Map([
    ...(scores?.bands ?? []).map(({ id, name }) => [`band:${id}`, name] as const),
    ...(await namesOfMembers(db, tenantId, people)),
  ])
}
