import type { BusinessSummary, ListBusinessesData } from '@prospect/api-client'
import type { ReadPages, TimedPage } from '../lists/visible-pages.ts'

/** Query of a list of prospects as sent to the API, without cursor and limit. */
export type ProspectListQuery = Omit<NonNullable<ListBusinessesData['query']>, 'cursor' | 'limit'>
export type ProspectListPage = TimedPage<BusinessSummary>
export type ProspectListData = ReadPages<BusinessSummary>

/** Matches every paged list of prospects. A change of a record updates its row in each of them. */
export const prospectListsKey = [{ _id: 'listBusinesses', _infinite: true }] as const

/** Returns the query of a cached list of prospects from its key. */
export function listQueryOf([first]: readonly unknown[]): ProspectListQuery {
  const query = typeof first === 'object' && first !== null && 'query' in first ? first.query : null
  return typeof query === 'object' && query !== null ? query : {}
}
