import type { UserActor } from '../../../lib/actor.ts'
import type { Store } from '../../../store/store.ts'
import { hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { namesOfMembers } from '../../identity/identity.ts'
import { findActiveScores } from '../../scoring/scoring.ts'
import type { RemovedFilterValue } from '../prospect-list.schema.ts'
import { compileConditions } from './compile-conditions.ts'
import type { Condition } from './conditions.schema.ts'
import { namesTextOfNobody } from './texts-of-nobody.ts'

type Removed = Omit<RemovedFilterValue, 'name'>

/** Returns the values of these conditions that no longer exist in the tenant, with their effect on the filter. */
export async function findRemovedValues(
  store: Store,
  actor: UserActor,
  conditions: readonly Condition[],
): Promise<RemovedFilterValue[]> {
  return (await createRemovedValuesFinder(store, actor))(conditions)
}

/** Returns `findRemovedValues` for the filters of a page: what does not depend on the conditions is read once. */
export async function createRemovedValuesFinder(
  store: Store,
  actor: UserActor,
): Promise<(conditions: readonly Condition[]) => Promise<RemovedFilterValue[]>> {
  const scores = await findActiveScores(store.reader, actor.tenantId)
  return (conditions) => removedOf(store, actor, conditions, scores)
}

async function removedOf(
  store: Store,
  actor: UserActor,
  conditions: readonly Condition[],
  scores: Awaited<ReturnType<typeof findActiveScores>>,
): Promise<RemovedFilterValue[]> {
  const { reader: db } = store
  const { tenantId } = actor
  const { removed: found } = await compileConditions(store, actor, conditions, { scores, now: store.clock() })
  const removed: Removed[] = [...found, ...(await removedLabels(store, actor, conditions))]
  const people = removed.flatMap(({ field, value }) => (field === 'assignee' ? [value] : []))
  const names = await namesOfMembers(db, tenantId, people)
  return removed.map((one) => ({ ...one, name: names.get(one.value) ?? null }))
}

/**
 * Source labels that no evidence has, or none that this person may see. Labels are compared as texts, so an excluded label that does not exist excludes
 * nothing.
 */
async function removedLabels(store: Store, actor: UserActor, conditions: readonly Condition[]): Promise<Removed[]> {
  const ofShown = hidesValuesFrom(actor, { doNotContact: true })
  const found: Removed[] = []
  for (const { field, op, values } of conditions) {
    if (field !== 'sourceLabel' || op === 'contains') continue
    const gone: string[] = []
    for (const value of values)
      if (
        await namesTextOfNobody(
          store.backgroundOf(actor.tenantId),
          actor.tenantId,
          { field, op, values: [value] },
          { ofShown },
        )
      )
        gone.push(value)
    const effect = op === 'any_of' && gone.length === values.length ? 'matches_nothing' : 'ignored'
    found.push(...gone.map((value) => ({ field, value, effect }) as const))
  }
  return found
}
