/** The address of the history of merges. */
import { idOf, oneOf, said } from '../../ui/lists/search-params.ts'

export type MergesSearch = { status?: 'merged' | 'reversed'; businessId?: string }

const statuses = ['merged', 'reversed'] as const

export function parseMergesSearch({ status, businessId }: Record<string, unknown>): MergesSearch {
  return said({ status: oneOf(statuses, status), businessId: idOf(businessId) })
}
