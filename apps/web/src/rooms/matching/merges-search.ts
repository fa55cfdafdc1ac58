/** Search parameters of the history of merges. */
import { idFrom, oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

export type MergesSearch = { status?: 'merged' | 'reversed'; businessId?: string }

const statuses = ['merged', 'reversed'] as const

export function parseMergesSearch({ status, businessId }: Record<string, unknown>): MergesSearch {
  return withoutUndefined({ status: oneOf(statuses, status), businessId: idFrom(businessId) })
}
