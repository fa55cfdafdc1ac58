import {
  listRuleSets,
  listRuleSetVersions,
  listScoreHistory,
  listScoringFailures,
  listScoringMoves,
  listScoringRuns,
  type ScoringPreview,
  type ScoringRun,
} from '@prospect/api-client'
import {
  getRuleSetOptions,
  getRuleSetVersionOptions,
  getScoreOptions,
  getScoringPreviewOptions,
  getScoringRunOptions,
  listRuleSetsQueryKey,
  listRuleSetVersionsQueryKey,
  listScoreHistoryQueryKey,
  listScoringFailuresQueryKey,
  listScoringMovesQueryKey,
  listScoringRunsQueryKey,
  listScoringSignalsOptions,
  listScoringTemplatesOptions,
} from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'
import type { MoveSearch } from './previews/move-search.ts'

/** Poll interval for results of a running job. */
const POLL_MS = 2_000

export const scoreQuery = (businessId: string) => getScoreOptions({ path: { businessId } })

export const scoreHistoryQuery = (businessId: string) =>
  pagedQuery(listScoreHistoryQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listScoreHistory({ path: { businessId }, query, signal })),
  )

export const ruleSetPages = pagedList(
  listRuleSetsQueryKey(),
  (page, signal) => dataOf(listRuleSets({ query: page, signal })),
  { placeOf: ({ updatedAt }) => updatedAt },
)

export const ruleSetQuery = (ruleSetId: string) => getRuleSetOptions({ path: { ruleSetId } })

export const versionsQuery = (ruleSetId: string) =>
  pagedQuery(listRuleSetVersionsQueryKey({ path: { ruleSetId } }), (query, signal) =>
    dataOf(listRuleSetVersions({ path: { ruleSetId }, query, signal })),
  )

export const versionQuery = (ruleSetId: string, version: number | string) =>
  getRuleSetVersionOptions({ path: { ruleSetId, version: String(version) } })

export const templatesQuery = queryOptions({
  ...listScoringTemplatesOptions(),
  staleTime: Number.POSITIVE_INFINITY,
})

export const signalsQuery = queryOptions({ ...listScoringSignalsOptions(), staleTime: Number.POSITIVE_INFINITY })

export const isUnderWay = ({ status }: Pick<ScoringPreview | ScoringRun, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** Permission to see jobs of previews: that to start one. */
export const previewPermission = 'scoring.write'
/** Permission to see jobs of recalculations: that to start one. */
export const runPermission = 'scoring.recalculate'

/** Query of a preview. It is polled while the preview runs, unless the page follows its job (`isFollowed`), which needs a permission. */
export const previewQuery = (previewId: string, isFollowed: boolean) =>
  queryOptions({
    ...getScoringPreviewOptions({ path: { previewId } }),
    refetchInterval: ({ state }) =>
      !isFollowed && state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false,
  })

export const movesQuery = (previewId: string, cell: MoveSearch) =>
  pagedQuery(listScoringMovesQueryKey({ path: { previewId }, query: cell }), (page, signal) =>
    dataOf(listScoringMoves({ path: { previewId }, query: { ...cell, ...page }, signal })),
  )

export const runPages = pagedList(
  listScoringRunsQueryKey(),
  (page, signal) => dataOf(listScoringRuns({ query: page, signal })),
  { askAgainMs: (rows) => (rows.some(isUnderWay) ? POLL_MS : false) },
)

/** Query of a run. It is polled while the run is active, unless the page follows the events of its job (`isFollowed`), which needs a permission. */
export const runQuery = (runId: string, isFollowed: boolean) =>
  queryOptions({
    ...getScoringRunOptions({ path: { runId } }),
    refetchInterval: ({ state }) =>
      !isFollowed && state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false,
  })

export const failuresQuery = (runId: string) =>
  pagedQuery(listScoringFailuresQueryKey({ path: { runId } }), (query, signal) =>
    dataOf(listScoringFailures({ path: { runId }, query, signal })),
  )

/** Called after a change of a rule set, a version or a run. */
export async function refreshScoring(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: answersAbout('scoring') })
}
