import type { RetentionContext } from '../retention-term.ts'
import type { Room } from '../room.ts'
import type { RetentionList } from './retention.schema.ts'

/** Returns the retention periods that the rooms declare, as this workspace and the configuration set them, in the order of `data`. */
export async function readRetention(
  rooms: readonly Room[],
  context: Omit<RetentionContext, 'at'>,
): Promise<RetentionList> {
  const asOf = context.store.clock().toISOString()
  const items: RetentionList['items'] = []
  for (const { retention = [] } of rooms)
    for (const { key, data, term, begins, ends } of retention) {
      const used = typeof term === 'function' ? await term({ ...context, at: asOf }) : term
      items.push({ key, data, term: used, begins, ends })
    }
  return { items: items.toSorted((one, other) => one.data.localeCompare(other.data)), asOf }
}
