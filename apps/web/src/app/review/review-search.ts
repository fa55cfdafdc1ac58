/** What the address of the review queue says: the filters of the prospects, with a sort of its own. */
import {
  filtersOf,
  isFiltered,
  type ProspectSearch,
  parseProspectSearch,
  prospectSorts,
} from '../../rooms/prospects/list/prospect-search.ts'
import { oneOf } from '../../ui/lists/search-params.ts'

export function parseReviewSearch(search: Record<string, unknown>): ProspectSearch {
  const { view: _view, sort: _sort, ...read } = parseProspectSearch(search)
  // The queue has no default among these: without a sort, the best score comes first.
  const sort = oneOf(prospectSorts, search.sort)
  return { ...read, ...(sort !== undefined && { sort }) }
}

/** The queue of a person who chose nothing: due, and may be contacted. */
const builtIn: ProspectSearch = { review: 'due', doNotContact: 'false' }

/** What the queue asks for. */
export function shownSearch(search: ProspectSearch): ProspectSearch {
  return isFiltered(search) ? search : { ...search, ...builtIn }
}

export const isBuiltIn = (search: ProspectSearch): boolean =>
  JSON.stringify(filtersOf(search)) === JSON.stringify(builtIn)
