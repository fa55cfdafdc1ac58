import type { ReactNode } from 'react'
import { isProblem } from './api-problem.ts'
import { Failed, LoadingLines, NotFound } from './states.tsx'

type Props<Data> = {
  record: { isPending: boolean; data: Data | undefined; error: unknown; refetch: () => unknown }
  /** Named in "Could not load …". */
  what: string
  lines: number
  /** Set to false where something else on the page is its heading. */
  isPage?: boolean
  children: (data: Data) => ReactNode
}

/** A record that is loading, is not there, could not be loaded, or is there. One that was loaded stays when a later look fails. */
export function RecordBody<Data>({ record, what, lines, isPage = true, children }: Props<Data>) {
  if (record.data !== undefined) return children(record.data)
  if (record.isPending) return <LoadingLines lines={lines} />
  if (isProblem(record.error, 'not_found')) return <NotFound isPage={isPage} />
  return <Failed isPage={isPage} error={record.error} retry={() => void record.refetch()} what={what} />
}
