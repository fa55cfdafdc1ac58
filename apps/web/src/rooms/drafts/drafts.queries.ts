import {
  type Draft,
  listDraftApprovalRequests,
  listDraftPolicies,
  listDrafts,
  listDraftTemplates,
  listDraftVersions,
  listEvidence,
  listLegalBases,
} from '@prospect/api-client'
import {
  getBusinessOptions,
  getDraftOptions,
  getDraftPolicyProposalsOptions,
  getSuggestionOptions,
  listDraftApprovalRequestsQueryKey,
  listDraftPoliciesQueryKey,
  listDraftsQueryKey,
  listDraftTemplatesQueryKey,
  listDraftVersionsQueryKey,
  listEvidenceQueryKey,
  listLegalBasesQueryKey,
} from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout, answersOf } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'

export type DraftFilter = { mine?: 'true'; state?: Draft['state'] }

export const draftPages = (query: DraftFilter) =>
  pagedList(listDraftsQueryKey({ query }), (page, signal) =>
    dataOf(listDrafts({ query: { ...query, ...page }, signal })),
  )

export const templatesPaged = pagedQuery(listDraftTemplatesQueryKey(), (query, signal) =>
  dataOf(listDraftTemplates({ query, signal })),
)

export const policiesPaged = pagedQuery(listDraftPoliciesQueryKey(), (query, signal) =>
  dataOf(listDraftPolicies({ query, signal })),
)

export const proposalsQuery = getDraftPolicyProposalsOptions()
export const draftQuery = (draftId: string) => getDraftOptions({ path: { draftId } })
export const businessQuery = (businessId: string) => getBusinessOptions({ path: { businessId } })

export const suggestionQuery = (assistSuggestionId: string) => getSuggestionOptions({ path: { assistSuggestionId } })

export const templatesQuery = queryOptions({
  queryKey: listDraftTemplatesQueryKey({ query: { limit: 200 } }),
  queryFn: ({ signal }) => dataOf(listDraftTemplates({ query: { limit: 200 }, signal })),
})

/** Newest observations of a prospect, for citations. */
export const evidenceToCite = (businessId: string) =>
  queryOptions({
    queryKey: listEvidenceQueryKey({ path: { businessId }, query: { limit: 50 } }),
    queryFn: ({ signal }) => dataOf(listEvidence({ path: { businessId }, query: { limit: 50 }, signal })),
  })

export const versionsQuery = (draftId: string) =>
  pagedQuery(listDraftVersionsQueryKey({ path: { draftId } }), (query, signal) =>
    dataOf(listDraftVersions({ path: { draftId }, query, signal })),
  )

export const requestsQuery = pagedQuery(listDraftApprovalRequestsQueryKey(), (query, signal) =>
  dataOf(listDraftApprovalRequests({ query, signal })),
)

export const draftsOfQuery = (businessId: string) =>
  pagedQuery(listDraftsQueryKey({ query: { businessId } }), (query, signal) =>
    dataOf(listDrafts({ query: { businessId, ...query }, signal })),
  )

export const basesQuery = (businessId: string) =>
  pagedQuery(listLegalBasesQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listLegalBases({ path: { businessId }, query, signal })),
  )

/** Called after a change of a draft, legal basis, template or policy. */
export async function refreshDrafts(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersAbout('drafts') }),
    queryClient.invalidateQueries({ queryKey: answersOf('listLegalBases') }),
    queryClient.invalidateQueries({ queryKey: answersOf('listDraftTemplates') }),
    queryClient.invalidateQueries({ queryKey: answersOf('listDraftPolicies') }),
  ])
}
