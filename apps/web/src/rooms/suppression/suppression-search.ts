/** Search parameters of the suppression centre. Invalid values are dropped, so that a shared link shows the same. */
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

export type SuppressionSearch = {
  q?: string
  status?: 'active' | 'past_term' | 'removed'
  kind?: 'email' | 'phone' | 'domain'
}

const statuses = ['active', 'past_term', 'removed'] as const
const kinds = ['email', 'phone', 'domain'] as const

export function parseSuppressionSearch({ q, status, kind }: Record<string, unknown>): SuppressionSearch {
  const typed = typeof q === 'string' ? q : ''
  return withoutUndefined({
    q: typed.trim() === '' || typed.length > inputLimits.suppressionSearch ? undefined : typed,
    status: oneOf(statuses, status),
    kind: oneOf(kinds, kind),
  })
}
