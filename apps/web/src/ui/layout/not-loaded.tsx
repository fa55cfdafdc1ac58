import { useState } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { Failed, LoadingLines, NotFound } from './states.tsx'

/** The result of a query, as far as it matters while it has no data. */
export type Read = { error: unknown; errorUpdatedAt: number; refetch: () => unknown }

type Props = {
  read: Read
  /** Named in "Could not load …". */
  what: string
  lines?: number
  isPage?: boolean
  /** A read of one record: `not_found` means that there is none. */
  isRecord?: boolean
}

/**
 * Stands in for data that is not loaded: lines at first, later the error of the last attempt. A query resets its error when it starts a
 * new attempt; the error stays on screen here, so that a failed read never alternates between error and skeleton.
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

/** The time of an error outlasts the error itself and differs between queries, so another record never shows this one's error. */
function useLastError({ error, errorUpdatedAt }: Read): unknown {
  const [last, setLast] = useState<{ error: unknown; at: number }>({ error: null, at: 0 })
  if (error !== null && last.at !== errorUpdatedAt) setLast({ error, at: errorUpdatedAt })
  return error ?? (last.at === errorUpdatedAt ? last.error : null)
}
