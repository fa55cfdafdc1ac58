import type {
  Job,
  JobSummary,
  MatchSuggestion,
  MatchSuggestionCounts,
  MatchSuggestionSummary,
  Merge,
  MergeAttempt,
  MergePreview,
  MergeSummary,
  Page,
} from '@prospect/api-client'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'
import { isProblem } from '../../ui/api/api-problem.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { matchingKey, refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { DuplicatesSearch } from './duplicates-search.ts'
import type { Chosen } from './merge-draft.ts'
import type { Pair } from './pair-changes.ts'

/** How often the two halves of a pair are asked for again when they tell of different moments. */
const MOST_LOOKS = 3

/** How often a run under way is looked at. */
const RUN_EVERY_MS = 2_000

export const suggestionsQuery = (search: DuplicatesSearch) =>
  pagedQuery<MatchSuggestionSummary>([...matchingKey, 'suggestions', search], '/match-suggestions', search)

export const countsQuery = queryOptions({
  queryKey: [...matchingKey, 'counts'],
  queryFn: ({ signal }) => api.get<MatchSuggestionCounts>('/match-suggestions/counts', { signal }),
})

/** Both answers about a pair, of one and the same moment: what is shown is what its fingerprint stands for. */
export const pairQuery = (id: string) =>
  queryOptions({
    queryKey: [...matchingKey, 'pair', id],
    queryFn: async ({ signal }): Promise<Pair> => {
      for (let looks = 1; ; looks += 1) {
        const [suggestion, preview] = await Promise.all([
          api.get<MatchSuggestion>(`/match-suggestions/${id}`, { signal }),
          api.get<MergePreview>(`/match-suggestions/${id}/merge-preview`, { signal }),
        ])
        if (suggestion.fingerprint === preview.fingerprint || looks === MOST_LOOKS) return { suggestion, preview }
      }
    },
  })

export const mergesQuery = (query: { businessId?: string; status?: 'merged' | 'reversed' } = {}) =>
  pagedQuery<MergeSummary>([...matchingKey, 'merges', query], '/merges', query)

export const attemptsQuery = pagedQuery<MergeAttempt>([...matchingKey, 'attempts'], '/merge-attempts')

export const mergeQuery = (id: string) =>
  queryOptions({
    queryKey: [...matchingKey, 'merge', id],
    queryFn: ({ signal }) => api.get<Merge>(`/merges/${id}`, { signal }),
  })

/** The newest run over the whole tenant, or null; looked at again and again while it goes on. */
export const lastRunQuery = queryOptions({
  queryKey: [...matchingKey, 'last-run'],
  queryFn: async ({ signal }): Promise<JobSummary | null> =>
    (await api.get<Page<JobSummary>>('/jobs', { query: { kind: 'match-run', limit: 1 }, signal })).items[0] ?? null,
  refetchInterval: ({ state }) => (isUnderWay(state.data ?? null) ? RUN_EVERY_MS : false),
})

export const isUnderWay = (job: Pick<JobSummary, 'status'> | null): boolean =>
  job?.status === 'queued' || job?.status === 'running'

export const startRun = (idempotencyKey: string) => api.post<Job>('/match-runs', { body: {}, idempotencyKey })

export type Decision = { survivorId: string; fields: Chosen; fingerprint: string; reason: string }

export const mergePair = (id: string, body: Decision, idempotencyKey: string) =>
  api.post<Merge>(`/match-suggestions/${id}/merge`, { body, idempotencyKey })

export const rejectPair = (id: string, reason: string, idempotencyKey: string) =>
  api.post<MatchSuggestion>(`/match-suggestions/${id}/rejection`, { body: { reason }, idempotencyKey })

export const reverseMerge = (id: string, reason: string, idempotencyKey: string) =>
  api.post<Merge>(`/merges/${id}/reversal`, { body: { reason }, idempotencyKey })

/** Sends a decision. One that somebody else was ahead with is refused, and then the page beneath shows what is there now. */
export async function decideOrRefresh<Answer>(queryClient: QueryClient, decision: Promise<Answer>): Promise<Answer> {
  try {
    return await decision
  } catch (error) {
    if (isProblem(error) && error.status === 409) void refreshRecords(queryClient)
    throw error
  }
}
