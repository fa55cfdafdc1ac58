import type {
  AddedSuppression,
  BusinessSuppression,
  LiftedBlock,
  RemovedSuppression,
  Suppression,
  SuppressionBatch,
  SuppressionEvaluation,
  SuppressionHistoryItem,
  SuppressionMatch,
  SuppressionPreview,
} from '@prospect/api-client'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { ENTRIES_PER_PAGE, keepsPlace, type PagedList } from '../../ui/lists/visible-pages.ts'
import { recordKey, refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { SuppressionSearch } from './suppression-search.ts'

const suppressionKey = ['suppressions'] as const

export const suppressionPages = (search: SuppressionSearch): PagedList<Suppression> => ({
  queryKey: [...suppressionKey, 'list', search],
  path: '/suppressions',
  query: search,
  limit: ENTRIES_PER_PAGE,
  placeOf: keepsPlace,
})

export const evaluationQuery = queryOptions({
  queryKey: [...suppressionKey, 'evaluation'],
  queryFn: ({ signal }) => api.get<SuppressionEvaluation>('/suppressions/evaluation', { signal }),
})

export const suppressionQuery = (id: string) =>
  queryOptions({
    queryKey: [...suppressionKey, 'entry', id],
    queryFn: ({ signal }) => api.get<Suppression>(`/suppressions/${id}`, { signal }),
  })

export const historyQuery = (id: string) =>
  pagedQuery<SuppressionHistoryItem>([...suppressionKey, 'history', id], `/suppressions/${id}/history`)

export const matchesQuery = (id: string) =>
  pagedQuery<SuppressionMatch>([...suppressionKey, 'matches', id], `/suppressions/${id}/matches`)

export const entriesOfBusinessQuery = (businessId: string) =>
  pagedQuery<BusinessSuppression>([...recordKey(businessId), 'suppressions'], `/businesses/${businessId}/suppressions`)

export type Provenance = {
  reason: string
  channel: Suppression['channel']
  requestedBy: string | null
  reference: string | null
}
export type NewEntry = Provenance & {
  kind: Suppression['kind']
  value: string
  region: string | null
  scope: Suppression['scope']
}

export const addSuppression = (body: NewEntry, idempotencyKey: string) =>
  api.post<AddedSuppression>('/suppressions', { body, idempotencyKey })

export type Pasted = { lines: string[]; region: string | null; domainScope: Suppression['scope'] }

export const previewBatch = (body: Pasted) => api.post<SuppressionPreview>('/suppressions/batch-previews', { body })

export const addBatch = (body: Pasted & Provenance, idempotencyKey: string) =>
  api.post<SuppressionBatch>('/suppressions/batches', { body, idempotencyKey })

export const removeSuppression = (id: string, reason: string, idempotencyKey: string) =>
  api.post<RemovedSuppression>(`/suppressions/${id}/removal`, { body: { reason }, idempotencyKey })

export const liftBlock = (businessId: string, reason: string, idempotencyKey: string) =>
  api.post<LiftedBlock>(`/businesses/${businessId}/do-not-contact-removal`, { body: { reason }, idempotencyKey })

/** An entry that came or went may have marked or freed any record: whatever shows one is read again. */
export async function refreshAll(queryClient: QueryClient): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: suppressionKey }), refreshRecords(queryClient)])
}
