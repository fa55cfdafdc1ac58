import { type CreateExportData, type Export, getExportContent, listExports } from '@prospect/api-client'
import { getExportOptions, getJobOptions, listExportsQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../../ui/api/data-of.ts'
import { transferringFile } from '../../ui/api/gated-fetch.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { saveFile } from '../../ui/api/save-file.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'

/** Poll interval of the list while one of its files is being written. */
const POLL_MS = 2_000

export const exportsKey = answersAbout('exports')

export const isUnderWay = ({ status }: Pick<Export, 'status'>) => status === 'queued' || status === 'running'

export const exportPages = pagedList(
  listExportsQueryKey(),
  (page, signal) => dataOf(listExports({ query: page, signal })),
  { askAgainMs: (rows) => (rows.some(isUnderWay) ? POLL_MS : false) },
)

export const exportQuery = (exportId: string) => getExportOptions({ path: { exportId } })

export type NewExport = NonNullable<CreateExportData['body']>

/** Job of a failed export, with the reason. */
export const failureQuery = (jobId: string) => getJobOptions({ path: { jobId } })

/** Loads the file first, so that an error is shown in the app, then saves it through the browser. */
export async function download({ id, file }: Export): Promise<void> {
  const content = await dataOf(getExportContent({ path: { exportId: id }, parseAs: 'blob', ...transferringFile }))
  saveFile(file?.name ?? id, content)
}
