/** Search parameters of the review queue: the filters of prospects with the queue's own sort. */
import {
  isFiltered,
  type ProspectSearch,
  parseProspectSearch,
  prospectSorts,
} from '../../rooms/prospects/list/prospect-search.ts'
import { oneOf } from '../../ui/lists/search-params.ts'

export function parseReviewSearch(search: Record<string, unknown>): ProspectSearch {
  const { view: _view, sort: _sort, ...read } = parseProspectSearch(search)
  // The queue has no default sort of its own here; without a sort, the API returns the best score first.
  const sort = oneOf(prospectSorts, search.sort)
  return { ...read, ...(sort !== undefined && { sort }) }
}

/** Default queue without filters: due reviews of prospects that may be contacted. */
export const builtIn = { review: 'due', doNotContact: 'false' } satisfies ProspectSearch

/** Filters that the queue applies: those of the address, or the default. */
export function shownSearch(search: ProspectSearch): ProspectSearch {
  return isFiltered(search) ? search : { ...search, ...builtIn }
}
