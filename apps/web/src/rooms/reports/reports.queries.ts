import type { CreateReportData, Job, Report, ReportSummary } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'

/** How often what is being made is asked for. */
const pollMs = 1_000

export const reportsKey = ['reports'] as const

export const isUnderWay = ({ status }: Pick<ReportSummary, 'status'>) => status === 'queued' || status === 'running'

export const reportsQuery = pagedQuery<ReportSummary>([...reportsKey, 'list'], '/reports')

export const reportQuery = (reportId: string) =>
  queryOptions({
    queryKey: [...reportsKey, reportId],
    queryFn: ({ signal }) => api.get<Report>(`/reports/${reportId}`, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? pollMs : false),
  })

/** The newest attempt of the job that makes it: how far it is, and why it failed. Only for those who may make reports. */
export const newestAttemptQuery = (jobId: string) =>
  queryOptions({
    queryKey: [...reportsKey, 'job', jobId],
    queryFn: async ({ signal }) => {
      const first = await api.get<Job>(`/jobs/${jobId}`, { signal })
      const newest = first.attempts.at(-1)?.id ?? jobId
      return newest === jobId ? first : api.get<Job>(`/jobs/${newest}`, { signal })
    },
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? pollMs : false),
  })

export const createReport = (body: CreateReportData['body'], idempotencyKey: string) =>
  api.post<Report>('/reports', { body, idempotencyKey })
