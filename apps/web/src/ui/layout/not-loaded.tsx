import { useState } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { Failed, LoadingLines, NotFound } from './states.tsx'

/** The parts of a query's result that matter while it has no data. */
export type Read = { error: unknown; errorUpdatedAt: number; refetch: () => unknown }

type Props = {
  read: Read
  /** Subject of the sentence "Could not load …". */
  what: string
  lines?: number
  isPage?: boolean
  /** The query reads one record, so `not_found` means that it does not exist. */
  isRecord?: boolean
}

/**
 * Placeholder for data that is not loaded: skeleton lines first, then the error of the last attempt. A query resets its error when it starts a new
 * attempt, but the error stays on screen here, so that a failing read does not alternate between error and skeleton.
 */
export function NotLoaded({ read, what, lines, isPage = false, isRecord = false }: Props) {
  const error = useLastError(read)
  const [isRetrying, setRetrying] = useState(false)
  const retry = async () => {
    setRetrying(true)
    await read.refetch()
    setRetrying(false)
  }
  if (error === null) return <LoadingLines {...(lines === undefined ? {} : { lines })} />
  if (isRecord && isProblem(error, 'not_found')) return <NotFound isPage={isPage} />
  return <Failed isPage={isPage} error={error} retry={() => void retry()} isRetrying={isRetrying} what={what} />
}

/** The last error of a query. `errorUpdatedAt` outlasts the error and differs between queries, so the error of another record is never shown. */
function useLastError({ error, errorUpdatedAt }: Read): unknown {
  const [last, setLast] = useState<{ error: unknown; at: number }>({ error: null, at: 0 })
  if (error !== null && last.at !== errorUpdatedAt) setLast({ error, at: errorUpdatedAt })
  return error ?? (last.at === errorUpdatedAt ? last.error : null)
}
