import type { BusinessSummary, FilterInput, PipelineState } from '@prospect/api-client'
import type { QueryClient } from '@tanstack/react-query'
import { totalAfter } from '../../ui/api/total.ts'
import {
  listQueryOf,
  type ProspectListData,
  type ProspectListPage,
  type ProspectListQuery,
  prospectListsKey,
} from '../../ui/prospects/list-keys.ts'

/** Returns every cached list of prospects with its key. */
const cachedLists = (queryClient: QueryClient) =>
  queryClient.getQueriesData<ProspectListData>({ queryKey: prospectListsKey })

/** Returns the record as a cached list contains it; null if no list does. */
export function rowInLists(queryClient: QueryClient, businessId: string): BusinessSummary | null {
  return findRow(
    cachedLists(queryClient).map(([, data]) => data),
    businessId,
  )
}

/** Shows a moved record in the cached lists. */
export function moveInLists(
  queryClient: QueryClient,
  { businessId, to, row }: { businessId: string; to: PipelineState; row: BusinessSummary | null },
): void {
  for (const [key, data] of cachedLists(queryClient))
    if (data !== undefined) queryClient.setQueryData(key, moveInList(data, listQueryOf(key), businessId, to, row))
}

/**
 * Returns a list as it will be after the move: the row gets its new state, is removed from a list of the old state, and comes first in a list of the
 * new state. `row` is the moved record from any list, or null if no list contains it.
 */
export function moveInList(
  data: ProspectListData,
  query: ProspectListQuery,
  businessId: string,
  to: PipelineState,
  row: BusinessSummary | null,
): ProspectListData {
  const isThere = data.pages.some((page) => page.items.some((item) => item.id === businessId))
  const shows = statesOf(query)
  if (shows === null || shows(to)) {
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => (item.id === businessId ? { ...item, pipelineState: to } : item)),
    }))
    // A list of both states that does not have the record excludes it by another filter, or has not loaded it.
    const isAbsent = row === null || (row.pipelineState !== to && shows?.(row.pipelineState) === true)
    if (shows === null || isThere || isAbsent) return { ...data, pages }
    const moved: BusinessSummary = { ...row, pipelineState: to }
    return {
      ...data,
      pages: pages.map((page, index) => countBy(index === 0 ? { ...page, items: [moved, ...page.items] } : page, 1)),
    }
  }
  if (!isThere) return data
  return {
    ...data,
    pages: data.pages.map((page) =>
      countBy({ ...page, items: page.items.filter((item) => item.id !== businessId) }, -1),
    ),
  }
}

/** Returns the test of a state by the filters of a list; null if they do not name a state. */
function statesOf({ state, conditions = '[]' }: ProspectListQuery): ((state: PipelineState) => boolean) | null {
  const found = (JSON.parse(conditions) as FilterInput).filter(
    (one): one is Extract<FilterInput[number], { field: 'state' }> => one.field === 'state',
  )
  if (state === undefined && found.length === 0) return null
  return (one) =>
    (state === undefined || state === one) &&
    found.every(({ op, values }) => values.includes(one) === (op === 'any_of'))
}

export function findRow(lists: (ProspectListData | undefined)[], businessId: string): BusinessSummary | null {
  for (const list of lists) {
    for (const page of list?.pages ?? []) {
      const row = page.items.find((item) => item.id === businessId)
      if (row !== undefined) return row
    }
  }
  return null
}

function countBy(page: ProspectListPage, change: number): ProspectListPage {
  return { ...page, page: { ...page.page, total: totalAfter(page.page.total, change) } }
}
