import type { CreateExportData, Export, Job } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { saveFile } from '../../ui/api/save-file.ts'

/** Where the stream of the job cannot be had, what is being written is asked for this often. */
const pollMs = 2_000

export const exportsKey = ['exports'] as const

export const isUnderWay = ({ status }: Pick<Export, 'status'>) => status === 'queued' || status === 'running'

export const exportsQuery = pagedQuery<Export>([...exportsKey, 'list'], '/exports')

export const exportQuery = (id: string) =>
  queryOptions({
    queryKey: [...exportsKey, id],
    queryFn: ({ signal }) => api.get<Export>(`/exports/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? pollMs : false),
  })

export type NewExport = NonNullable<CreateExportData['body']>

export const createExport = (body: NewExport, idempotencyKey: string) =>
  api.post<Export>('/exports', { body, idempotencyKey })

export const failureQuery = (jobId: string) =>
  queryOptions({
    queryKey: [...exportsKey, 'job', jobId],
    queryFn: ({ signal }) => api.get<Job>(`/jobs/${jobId}`, { signal }),
  })

/** Fetches the file, so that a refusal is told here, and hands it to the browser to keep. */
export async function download({ id, file }: Export): Promise<void> {
  saveFile(file?.name ?? id, await api.file(`/exports/${id}/content`))
}
