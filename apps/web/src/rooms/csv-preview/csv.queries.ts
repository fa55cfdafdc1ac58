import { type CsvPreviewState, type CsvRow, createCsvPreview, listCsvRows } from '@prospect/api-client'
import { getCsvPreviewLimitsOptions, getCsvPreviewOptions, listCsvRowsQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { isProblem } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { transferringFile } from '../../ui/api/gated-fetch.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { type CsvSettings, settingsQuery } from './csv-settings.ts'

const READING_EVERY_MS = 700

export const limitsQuery = queryOptions({ ...getCsvPreviewLimitsOptions(), staleTime: 600_000 })

export const previewCsv = (body: File, settings: CsvSettings, signal: AbortSignal): Promise<CsvPreviewState> =>
  dataOf(createCsvPreview({ body, query: settingsQuery(settings), signal, ...transferringFile }))

/** Polled while a job reads the file. */
export const csvPreviewQuery = (previewId: string) =>
  queryOptions({
    ...getCsvPreviewOptions({ path: { previewId } }),
    refetchInterval: ({ state }) => {
      const isOver = state.data !== undefined && state.data.status !== 'reading'
      return isOver || isProblem(state.error, 'not_found') ? false : READING_EVERY_MS
    },
    retry: false,
  })

export const csvRowsQuery = (previewId: string, show: 'all' | 'flagged') => {
  const list = { path: { previewId }, query: { show, limit: 100 } }
  return {
    ...pagedQuery(listCsvRowsQueryKey(list), (page, signal) =>
      dataOf(listCsvRows({ ...list, query: { ...list.query, ...page }, signal })),
    ),
    // The server keeps a preview for some minutes and never changes it. A second read could fail because it is gone, so the rows never become stale.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }
}

/** Reads the rows after a row, compared with the current records. The response is not cached, because a new prospect can match further rows. */
export const readCsvRows = async (previewId: string, after: number, limit: number): Promise<CsvRow[]> =>
  (await dataOf(listCsvRows({ path: { previewId }, query: { show: 'all', after, limit } }))).items
