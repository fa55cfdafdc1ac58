import { notifications } from '@mantine/notifications'
import { type BusinessSummary, listBusinesses } from '@prospect/api-client'
import { listBusinessesQueryKey } from '@prospect/api-client/query'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { dataOf } from '../api/data-of.ts'
import { useVisiblePages } from '../lists/use-visible-pages.ts'
import type { PagedList } from '../lists/visible-pages.ts'
import { activeScoringQuery } from './active-scoring.ts'
import { type ProspectListQuery, prospectListsKey } from './list-keys.ts'

/** Query of a list of prospects. Every change that can move a prospect in the list raises its version. */
export const prospectPages = (query: ProspectListQuery, limit: number): PagedList<BusinessSummary> => ({
  queryKey: listBusinessesQueryKey({ query }),
  readPage: (page, signal) => dataOf(listBusinesses({ query: { ...query, ...page }, signal })),
  limit,
  placeOf: query.sort?.endsWith('score') === true ? placeByScore : ({ version }) => version,
  keepsPrevious: true,
})

/** A score is recomputed without a new version of the record, so the place of a row depends on the score itself. */
const placeByScore = ({ score }: BusinessSummary) => `${score.runId} ${score.eligibility} ${score.low}`

/** List of prospects. When new scores are activated, its cursors are rejected: the list loads from its start and a notification explains it. */
export function useProspectPages(query: ProspectListQuery, limit: number) {
  const pages = useVisiblePages(prospectPages(query, limit))
  const queryClient = useQueryClient()
  const isSwitched = isProblem(pages.list.error, 'scores_switched')
  useEffect(() => {
    if (isSwitched) void restart(queryClient)
  }, [isSwitched, queryClient])
  return pages
}

async function restart(queryClient: QueryClient): Promise<void> {
  void queryClient.resetQueries({ queryKey: prospectListsKey })
  const { active } = await queryClient.fetchQuery({ ...activeScoringQuery, staleTime: 0 })
  const words = active === null ? 'No scores are active now.' : `Scores now use version ${active.version}.`
  notifications.show({ id: 'scores-switched', message: `${words} The list was reloaded.` })
}
