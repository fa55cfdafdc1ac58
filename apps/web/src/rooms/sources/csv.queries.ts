import type { BusinessSummary, CsvPreview, CsvPreviewLimits, CsvRow, Evidence, Page } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api.ts'
import { pagedQuery } from '../../ui/paged.ts'
import { type CsvSettings, settingsQuery } from './csv-settings.ts'

export const limitsQuery = queryOptions({
  queryKey: ['csv-preview-limits'],
  queryFn: ({ signal }) => api.get<CsvPreviewLimits>('/csv-previews/limits', { signal }),
  staleTime: 600_000,
})

export const previewCsv = (file: File, settings: CsvSettings, signal: AbortSignal) =>
  api.post<CsvPreview>('/csv-previews', { file, query: settingsQuery(settings), signal })

export const csvRowsQuery = (previewId: string, show: 'first' | 'flagged') => ({
  ...pagedQuery<CsvRow>(['csv-rows', previewId, show], `/csv-previews/${previewId}/rows`, { show, limit: 100 }),
  // Held for minutes and never changed; asked again it may be gone.
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

export const searchBusinessesQuery = (typed: string) =>
  queryOptions({
    queryKey: ['csv-record-search', typed],
    queryFn: async ({ signal }) =>
      (await api.get<Page<BusinessSummary>>('/businesses', { query: { q: typed, limit: 8 }, signal })).items,
    enabled: typed.trim() !== '',
    staleTime: 30_000,
  })

export const recordRow = (businessId: string, body: unknown, idempotencyKey: string) =>
  api.post<Evidence>(`/businesses/${businessId}/evidence`, { body, idempotencyKey })
