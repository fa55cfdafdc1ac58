import { listScoreHistory } from '@prospect/api-client'
import { getActiveScoringOptions, getScoreOptions, listScoreHistoryQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'

export const activeScoringQuery = getActiveScoringOptions()

export const scoreQuery = (businessId: string) => getScoreOptions({ path: { businessId } })

export const scoreHistoryQuery = (businessId: string) =>
  pagedQuery(listScoreHistoryQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listScoreHistory({ path: { businessId }, query, signal })),
  )
