import { getJob, listReports, type ReportSummary } from '@prospect/api-client'
import { getJobQueryKey, getReportOptions, listReportsQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'

/** Poll interval of a report that is queued or running. */
const POLL_MS = 1_000
/** Poll interval of the list while one of its reports is queued or running. */
const LIST_POLL_MS = 2_000

export const reportsKey = answersAbout('reports')

export const isUnderWay = ({ status }: Pick<ReportSummary, 'status'>) => status === 'queued' || status === 'running'

export const reportPages = pagedList(
  listReportsQueryKey(),
  (page, signal) => dataOf(listReports({ query: page, signal })),
  { askAgainMs: (rows) => (rows.some(isUnderWay) ? LIST_POLL_MS : false) },
)

/** Query of a report. It is polled while the report runs, unless the page follows the events of its job (`isFollowed`), which needs a permission. */
export const reportQuery = (reportId: string, isFollowed: boolean) =>
  queryOptions({
    ...getReportOptions({ path: { reportId } }),
    refetchInterval: ({ state }) =>
      !isFollowed && state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false,
  })

/** Newest attempt of a report's job, with its progress or error. Only for users who may create reports. */
export const newestAttemptQuery = (jobId: string) =>
  queryOptions({
    queryKey: [{ ...getJobQueryKey({ path: { jobId } })[0], ...reportsKey[0], isNewestAttempt: true }] as const,
    queryFn: async ({ signal }) => {
      const first = await dataOf(getJob({ path: { jobId }, signal }))
      const newest = first.attempts.at(-1)?.id ?? jobId
      return newest === jobId ? first : dataOf(getJob({ path: { jobId: newest }, signal }))
    },
  })
