import type { BusinessSummary, Page, PipelineState } from '@prospect/api-client'
import type { InfiniteData } from '@tanstack/react-query'

/** The query of a list of businesses as it goes to the API, without cursor and limit. */
export type BusinessListQuery = {
  q?: string
  state?: PipelineState
  assignee?: string
  tag?: string
  province?: string
  doNotContact?: 'true' | 'false'
  hasEvidence?: 'true' | 'false'
  updatedFrom?: string
  updatedTo?: string
  sort?: string
}
/** `readAt`: when it was asked for, by the clock of `performance.now()`, which is never put back. */
export type BusinessListPage = Page<BusinessSummary> & { readAt: number }
export type BusinessListData = InfiniteData<BusinessListPage, string | null>

/** One list: its pages are cached together, and a change of a record can find its row in every list on screen. */
export const businessListKey = (query: BusinessListQuery) => ['businesses', 'list', query] as const
export const businessListsKey = ['businesses', 'list'] as const
