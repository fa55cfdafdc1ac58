import { listTransitions } from '@prospect/api-client'
import { listTransitionsQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'

export const transitionsQuery = (businessId: string) =>
  pagedQuery(listTransitionsQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listTransitions({ path: { businessId }, query, signal })),
  )
