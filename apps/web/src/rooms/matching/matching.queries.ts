import {
  getMatchSuggestion,
  type JobSummary,
  type ListMergesData,
  listJobs,
  listMatchSuggestions,
  listMergeAttempts,
  listMerges,
  previewMerge,
} from '@prospect/api-client'
import {
  countMatchSuggestionsOptions,
  getMatchSuggestionQueryKey,
  getMergeOptions,
  listMatchSuggestionsQueryKey,
  listMergeAttemptsQueryKey,
  listMergesQueryKey,
} from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { isProblem } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { DuplicatesSearch } from './duplicates-search.ts'
import type { Pair } from './pair-changes.ts'

/** Maximum number of attempts to read both parts of a pair as of the same state. */
const MAX_LOOKS = 3

export const suggestionsQuery = (search: DuplicatesSearch) =>
  pagedQuery(listMatchSuggestionsQueryKey({ query: search }), (page, signal) =>
    dataOf(listMatchSuggestions({ query: { ...search, ...page }, signal })),
  )

/** Paged list of suggestions. A pair moves in the list when its score changes. */
export const suggestionPages = (search: DuplicatesSearch) =>
  pagedList(
    listMatchSuggestionsQueryKey({ query: search }),
    (page, signal) => dataOf(listMatchSuggestions({ query: { ...search, ...page }, signal })),
    { placeOf: ({ score }) => score },
  )

export const countsQuery = countMatchSuggestionsOptions()

/** Reads a suggestion and its merge preview as of the same state, so that the fingerprint matches what is shown. */
export const pairQuery = (suggestionId: string) => {
  const path = { suggestionId }
  return queryOptions({
    queryKey: [{ ...getMatchSuggestionQueryKey({ path })[0], isPair: true }] as const,
    queryFn: async ({ signal }): Promise<Pair> => {
      for (let attempts = 1; ; attempts += 1) {
        const [suggestion, preview] = await Promise.all([
          dataOf(getMatchSuggestion({ path, signal })),
          dataOf(previewMerge({ path, signal })),
        ])
        if (suggestion.fingerprint === preview.fingerprint || attempts === MAX_LOOKS) return { suggestion, preview }
      }
    },
  })
}

type MergesQuery = Pick<NonNullable<ListMergesData['query']>, 'businessId' | 'status'>

export const mergePages = (query: MergesQuery) =>
  pagedList(listMergesQueryKey({ query }), (page, signal) =>
    dataOf(listMerges({ query: { ...query, ...page }, signal })),
  )

export const mergesQuery = (query: MergesQuery) =>
  pagedQuery(listMergesQueryKey({ query }), (page, signal) =>
    dataOf(listMerges({ query: { ...query, ...page }, signal })),
  )

export const attemptsQuery = pagedQuery(listMergeAttemptsQueryKey(), (query, signal) =>
  dataOf(listMergeAttempts({ query, signal })),
)

export const mergeQuery = (mergeId: string) => getMergeOptions({ path: { mergeId } })

/** Query of the newest comparison of all records, or null. */
export const lastRunQuery = queryOptions({
  queryKey: [{ ...answersAbout('matching')[0], _id: 'listJobs', isLastRun: true }] as const,
  queryFn: async ({ signal }): Promise<JobSummary | null> =>
    (await dataOf(listJobs({ query: { kind: 'match-run', limit: 1 }, signal }))).items[0] ?? null,
})

export const isUnderWay = (job: Pick<JobSummary, 'status'> | null): boolean =>
  job?.status === 'queued' || job?.status === 'running'

/** Sends a decision. If a colleague decided first, it is rejected with a 409 and the page refreshes. */
export async function decideOrRefresh<Answer>(queryClient: QueryClient, decision: Promise<Answer>): Promise<Answer> {
  try {
    return await decision
  } catch (error) {
    if (isProblem(error) && error.status === 409) void refreshRecords(queryClient)
    throw error
  }
}
