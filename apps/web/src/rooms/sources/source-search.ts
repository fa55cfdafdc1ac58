import type { Source } from '@prospect/api-client'
import { oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

export type SourceSearch = { status?: Source['status']; waitingForMe?: 'true'; endsWithinDays?: '30' }

export const sourceStatuses = [
  'incomplete',
  'awaiting_approval',
  'approved',
  'enabled',
  'lapsed',
  'rejected',
  'withdrawn',
] as const

/** Parses the search parameters of the registry. Invalid values are dropped, so that a shared link shows the same. */
export function parseSourceSearch({ status, waitingForMe, endsWithinDays }: Record<string, unknown>): SourceSearch {
  return withoutUndefined({
    status: oneOf(sourceStatuses, status),
    waitingForMe: oneOf(['true'] as const, waitingForMe === true ? 'true' : waitingForMe),
    endsWithinDays: oneOf(['30'] as const, endsWithinDays === 30 ? '30' : endsWithinDays),
  })
}
