import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import type { ReadPage, ReadPages } from '../lists/visible-pages.ts'

/** The query of a list of businesses as it goes to the API, without cursor and limit. */
export type ProspectListQuery = {
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
export type ProspectListPage = ReadPage<BusinessSummary>
export type ProspectListData = ReadPages<BusinessSummary>

/** One list: its pages are cached together, and a change of a record can find its row in every list on screen. */
export const prospectListKey = (query: ProspectListQuery) => ['businesses', 'list', query] as const
export const prospectListsKey = ['businesses', 'list'] as const
