import type { Tx } from '../../../store/change/change.ts'
import { withoutErased } from '../../prospect-list/prospect-list.ts'
import { selectFiltersWithValues, updateFilter } from './filters.queries.ts'

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
