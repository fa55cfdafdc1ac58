import { getJob, listReports, type ReportSummary } from '@prospect/api-client'
import { getJobQueryKey, getReportOptions, listReportsQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'

/** Poll interval of a report under way. */
const POLL_MS = 1_000

export const reportsKey = answersAbout('reports')

export const isUnderWay = ({ status }: Pick<ReportSummary, 'status'>) => status === 'queued' || status === 'running'

export const reportsQuery = pagedQuery(listReportsQueryKey(), (query, signal) => dataOf(listReports({ query, signal })))

export const reportQuery = (reportId: string) =>
  queryOptions({
    ...getReportOptions({ path: { reportId } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false),
  })

/** The newest attempt of the job of a report: its progress, and why it failed. Only for those who may create reports. */
export const newestAttemptQuery = (jobId: string) =>
  queryOptions({
    queryKey: [{ ...getJobQueryKey({ path: { jobId } })[0], ...reportsKey[0], isNewestAttempt: true }] as const,
    queryFn: async ({ signal }) => {
      const first = await dataOf(getJob({ path: { jobId }, signal }))
      const newest = first.attempts.at(-1)?.id ?? jobId
      return newest === jobId ? first : dataOf(getJob({ path: { jobId: newest }, signal }))
    },
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false),
  })
