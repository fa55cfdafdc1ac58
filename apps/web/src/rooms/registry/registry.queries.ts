import { getRegistryFile, listRegistryRounds, type RegistryRound, uploadRegistryResult } from '@prospect/api-client'
import {
  getRegistryCertificateOptions,
  getRegistryRegistrationOptions,
  getRegistryRoundOptions,
  getRegistryStateOptions,
  listRegistryRoundsQueryKey,
} from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { transferringFile } from '../../ui/api/gated-fetch.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { saveFile } from '../../ui/api/save-file.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'

/** Poll interval of the list while a job of one of its rounds runs. */
const POLL_MS = 2_000

export const stateQuery = getRegistryStateOptions()
export const registrationQuery = getRegistryRegistrationOptions()
export const roundQuery = (roundId: string) => getRegistryRoundOptions({ path: { roundId } })
export const certificateQuery = (roundId: string) => getRegistryCertificateOptions({ path: { roundId } })

export const roundPages = pagedList(
  listRegistryRoundsQueryKey(),
  (page, signal) => dataOf(listRegistryRounds({ query: page, signal })),
  { askAgainMs: (rows) => (rows.some((round) => runningJob(round) !== null) ? POLL_MS : false) },
)

/** The job of a round that runs now, or null. */
export function runningJob({ state, jobId, result, confirmation }: RegistryRound): string | null {
  if (state === 'preparing') return jobId
  if (state === 'confirming') return confirmation?.jobId ?? null
  return state === 'awaiting_result' && result?.status === 'reading' ? result.jobId : null
}

/** Reads again what a round shows, and what its entries change. */
export async function refreshRounds(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    (['registry', 'suppression', 'dashboard'] as const).map((tag) =>
      queryClient.invalidateQueries({ queryKey: answersAbout(tag) }),
    ),
  )
}

/** Loads the file first, so that an error is shown in the app, then saves it through the browser. */
export async function download({ id, file }: RegistryRound): Promise<void> {
  const content = await dataOf(getRegistryFile({ path: { roundId: id }, parseAs: 'blob', ...transferringFile }))
  saveFile(file?.name ?? id, content)
}

/** Uploads the answer of the registry. The type of a chosen file depends on the machine, so it is replaced. */
export const upload = (roundId: string, file: File): Promise<RegistryRound> =>
  dataOf(
    uploadRegistryResult({
      path: { roundId },
      body: new File([file], file.name, { type: 'text/csv' }),
      ...transferringFile,
    }),
  )
