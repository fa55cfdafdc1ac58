/** Search parameters of a bulk action: the outcomes that are listed. */
import type { BulkOutcome } from '@prospect/api-client'
import { oneOf, withoutUndefined } from '../../../ui/lists/search-params.ts'

export const outcomes = ['changed', 'unchanged', 'refused', 'not_done'] as const

export const outcomeCodes = [
  'changed_since_preview',
  'changed_since',
  'suppressed',
  'business_not_active',
  'fact_contradicted',
  'permission_denied',
  'assignee_not_a_member',
  'too_many_tags',
  'not_found',
] as const satisfies readonly NonNullable<BulkOutcome['code']>[]

export type OutcomeSearch = { outcome?: BulkOutcome['outcome']; code?: NonNullable<BulkOutcome['code']> }

export function parseOutcomeSearch(search: Record<string, unknown>): OutcomeSearch {
  return withoutUndefined({ outcome: oneOf(outcomes, search.outcome), code: oneOf(outcomeCodes, search.code) })
}
