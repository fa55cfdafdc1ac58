import { listInteractions } from '@prospect/api-client'
import { listInteractionsQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'

export const interactionsQuery = (businessId: string) =>
  pagedQuery(listInteractionsQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listInteractions({ path: { businessId }, query, signal })),
  )
