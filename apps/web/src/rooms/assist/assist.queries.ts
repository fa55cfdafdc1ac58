import { type AssistSuggestion, listAssistPolicies, listEvidence, listSuggestions } from '@prospect/api-client'
import {
  getAssistStatusOptions,
  getAssistUsageOptions,
  listAssistPoliciesQueryKey,
  listEvidenceQueryKey,
  listSuggestionsQueryKey,
} from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'

export const statusQuery = getAssistStatusOptions()
export const usageQuery = getAssistUsageOptions()

export const policiesQuery = pagedQuery(listAssistPoliciesQueryKey(), (query, signal) =>
  dataOf(listAssistPolicies({ query, signal })),
)

/** Suggestions for one prospect, or those of all prospects in one state. */
export const suggestionsQuery = (filter: Pick<AssistSuggestion, 'businessId'> | { state: 'proposed' }) =>
  pagedQuery(listSuggestionsQueryKey({ query: filter }), (query, signal) =>
    dataOf(listSuggestions({ query: { ...filter, ...query }, signal })),
  )

export const choosableQuery = (businessId: string) =>
  pagedQuery(listEvidenceQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listEvidence({ path: { businessId }, query, signal })),
  )

/** Called after a request, a decision or a policy change. */
export async function refreshAssist(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: answersAbout('assist') })
}
