import type { Tx } from '../../../store/change/change.ts'
import { peopleOfNobody, tagsOfNobody, wordsOfNobody } from '../../businesses/businesses.ts'
import { FILTER_SCHEMA_VERSION, isTextCondition, textFields } from './conditions.schema.ts'
import { erasedCondition, readStoredConditions, type StoredCondition, storedConditions } from './stored-conditions.ts'
import { namesTextOfNobody } from './texts-of-nobody.ts'

/** Fields whose values are texts that an erasure can remove. */
export const erasableFields = ['q', 'tag', 'person', ...textFields] as const

export type WithoutErased = { text: string; isChanged: boolean }

/** Returns stored conditions without the values of the erased records. */
export async function withoutErased(tx: Tx, stored: string, businessIds: readonly string[]): Promise<WithoutErased> {
  return emptyConditions(stored, (one) => isErased(tx, one, businessIds))
}

/** Returns stored conditions in which those that meet the test are emptied: they keep their field and operator. */
export async function emptyConditions(
  stored: string,
  isGone: (condition: StoredCondition) => boolean | Promise<boolean>,
): Promise<WithoutErased> {
  const conditions = storedConditions.parse(JSON.parse(stored))
  let isChanged = false
  const left: StoredCondition[] = []
  for (const one of conditions) {
    const isEmptied = one.erased !== true && (await isGone(one))
    isChanged ||= isEmptied
    left.push(isEmptied ? erasedCondition(String(one.field), one.op) : one)
  }
  return { text: JSON.stringify(left), isChanged }
}

/** Returns true if a condition names a search word, tag, city, industry, source, or a name or role of a person, that no record of the tenant has any more. */
export async function isErased(tx: Tx, one: StoredCondition, businessIds: readonly string[]): Promise<boolean> {
  const [condition] = readStoredConditions(JSON.stringify([one]), FILTER_SCHEMA_VERSION).conditions
  const { tenantId } = tx.actor
  if (condition?.field === 'person')
    return (await peopleOfNobody(tx.db, tenantId, condition.values, businessIds)).length > 0
  if (condition?.field === 'q') return (await wordsOfNobody(tx.db, tenantId, condition.values, businessIds)).length > 0
  if (condition !== undefined && isTextCondition(condition)) return namesTextOfNobody(tx.db, tenantId, condition)
  if (condition?.field !== 'tag') return false
  const named = condition.values.map((tag) => ({ tag }))
  return (await tagsOfNobody(tx.db, tenantId, named)).length > 0
}
