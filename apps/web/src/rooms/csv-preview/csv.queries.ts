import type { CsvPreviewLimits, CsvPreviewState, CsvRow, Evidence } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'
import { isProblem } from '../../ui/api/api-problem.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { type CsvSettings, settingsQuery } from './csv-settings.ts'

const READING_EVERY_MS = 700

export const limitsQuery = queryOptions({
  queryKey: ['csv-preview-limits'],
  queryFn: ({ signal }) => api.get<CsvPreviewLimits>('/csv-previews/limits', { signal }),
  staleTime: 600_000,
})

export const previewCsv = (file: File, settings: CsvSettings, signal: AbortSignal) =>
  api.post<CsvPreviewState>('/csv-previews', { file, query: settingsQuery(settings), signal })

/** Asked again and again while a job reads the file. */
export const csvPreviewQuery = (previewId: string) =>
  queryOptions({
    queryKey: ['csv-preview', previewId],
    queryFn: ({ signal }) => api.get<CsvPreviewState>(`/csv-previews/${previewId}`, { signal }),
    refetchInterval: ({ state }) => {
      const isOver = state.data !== undefined && state.data.status !== 'reading'
      return isOver || isProblem(state.error, 'not_found') ? false : READING_EVERY_MS
    },
    retry: false,
  })

export const csvRowsQuery = (previewId: string, show: 'first' | 'flagged') => ({
  ...pagedQuery<CsvRow>(['csv-rows', previewId, show], `/csv-previews/${previewId}/rows`, { show, limit: 100 }),
  // Held for minutes and never changed; asked again it may be gone.
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

export const recordRow = (businessId: string, body: unknown, idempotencyKey: string) =>
  api.post<Evidence>(`/businesses/${businessId}/evidence`, { body, idempotencyKey })
