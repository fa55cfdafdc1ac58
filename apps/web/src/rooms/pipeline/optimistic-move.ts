import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import type { ProspectListData, ProspectListPage, ProspectListQuery } from '../../ui/prospects/list-keys.ts'

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
  if (query.state === undefined || query.state === to) {
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => (item.id === businessId ? { ...item, pipelineState: to } : item)),
    }))
    if (query.state === undefined || isThere || row === null) return { ...data, pages }
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

export function findRow(lists: (ProspectListData | undefined)[], businessId: string): BusinessSummary | null {
  for (const list of lists) {
    for (const page of list?.pages ?? []) {
      const row = page.items.find((item) => item.id === businessId)
      if (row !== undefined) return row
    }
  }
  return null
}

/** Adds to the total of a page. An unknown total remains unknown. */
function countBy(page: ProspectListPage, change: number): ProspectListPage {
  const { total } = page.page
  if (total === null) return page
  return { ...page, page: { ...page.page, total: { ...total, value: Math.max(0, total.value + change) } } }
}
