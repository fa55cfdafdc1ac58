/** Search parameters of the list of suggestions and of a pair opened from it. Invalid values are dropped, so that a shared link shows the same. */
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { idFrom, oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

export type DuplicatesSearch = {
  /** Undefined for open suggestions. */
  status?: 'rejected' | 'merged' | 'superseded'
  band?: 'strong' | 'review'
  businessId?: string
  /** Part of the name, email, phone or domain of either record. */
  q?: string
}

const statuses = ['rejected', 'merged', 'superseded'] as const
const bands = ['strong', 'review'] as const

export function parseDuplicatesSearch({ status, band, businessId, q }: Record<string, unknown>): DuplicatesSearch {
  const ofOne = idFrom(businessId)
  const typed = typeof q === 'string' ? q.trim() : ''
  return withoutUndefined({
    status: oneOf(statuses, status),
    band: oneOf(bands, band),
    businessId: ofOne,
    q: typed === '' || typed.length > inputLimits.search || ofOne !== undefined ? undefined : typed,
  })
}
