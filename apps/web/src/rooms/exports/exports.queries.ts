import { type CreateExportData, type Export, getExportContent, listExports } from '@prospect/api-client'
import { getExportOptions, getJobOptions, listExportsQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { transferringFile } from '../../ui/api/gated-fetch.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { saveFile } from '../../ui/api/save-file.ts'

/** Poll interval while the event stream of the job is not available. */
const POLL_MS = 2_000

export const exportsKey = answersAbout('exports')

export const isUnderWay = ({ status }: Pick<Export, 'status'>) => status === 'queued' || status === 'running'

export const exportsQuery = pagedQuery(listExportsQueryKey(), (query, signal) => dataOf(listExports({ query, signal })))

export const exportQuery = (exportId: string) =>
  queryOptions({
    ...getExportOptions({ path: { exportId } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false),
  })

export type NewExport = NonNullable<CreateExportData['body']>

/** The job of an export that failed. */
export const failureQuery = (jobId: string) => getJobOptions({ path: { jobId } })

/** Fetches the file, so that a refusal is shown here, and hands it to the browser to save. */
export async function download({ id, file }: Export): Promise<void> {
  const content = await dataOf(getExportContent({ path: { exportId: id }, parseAs: 'blob', ...transferringFile }))
  saveFile(file?.name ?? id, content)
}
