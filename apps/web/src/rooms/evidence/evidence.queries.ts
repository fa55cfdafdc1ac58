import { listEvidence } from '@prospect/api-client'
import { listEvidenceQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'

export const evidenceQuery = (businessId: string) =>
  pagedQuery(listEvidenceQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listEvidence({ path: { businessId }, query, signal })),
  )
