import type { Tx } from '../../../store/change/change.ts'
import { namesTextOfNobody, tagsOfNobody, wordsOfNobody } from '../../businesses/businesses.ts'
import { selectFiltersWithValues, updateFilter } from './filters.queries.ts'
import { erasedCondition, readStoredConditions, type StoredCondition } from './stored-conditions.ts'

/**
 * Removes conditions from saved filters if no record of the tenant has their search word, tag, city, industry or source any more. Such a filter
 * cannot be applied until it is repaired, because without the condition it would match more records. Returns the number of changed filters.
 */
export async function eraseFromFilters(tx: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = tx.actor
  let emptied = 0
  for (const row of await selectFiltersWithValues(tx.db, tenantId)) {
    const { text, isChanged } = await withoutErased(tx, row.conditions, businessIds)
    if (!isChanged) continue
    await updateFilter(tx.db, row, { conditions: text, version: row.version + 1 })
    emptied += 1
  }
  return emptied
}

/** Returns stored conditions without the values of the erased records. */
export async function withoutErased(
  tx: Tx,
  stored: string,
  businessIds: readonly string[],
): Promise<{ text: string; isChanged: boolean }> {
  const conditions: StoredCondition[] = JSON.parse(stored)
  let isChanged = false
  const left: StoredCondition[] = []
  for (const one of conditions) {
    const isGone = await isErased(tx, one, businessIds)
    isChanged ||= isGone
    left.push(isGone ? erasedCondition(String(one.field), one.op) : one)
  }
  return { text: JSON.stringify(left), isChanged }
}

async function isErased(tx: Tx, one: StoredCondition, businessIds: readonly string[]): Promise<boolean> {
  const [condition] = readStoredConditions(JSON.stringify([one]), 1).conditions
  const { tenantId } = tx.actor
  if (condition?.field === 'q') return (await wordsOfNobody(tx.db, tenantId, condition.values, businessIds)).length > 0
  if (condition?.field === 'city' || condition?.field === 'industry' || condition?.field === 'sourceLabel')
    return namesTextOfNobody(tx.db, tenantId, condition)
  if (condition?.field !== 'tag') return false
  const named = condition.values.map((tag) => ({ tag }))
  return (await tagsOfNobody(tx.db, tenantId, named)).length > 0
}
