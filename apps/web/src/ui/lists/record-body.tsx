import type { ReactNode } from 'react'
import { NotLoaded, type Read } from '../layout/not-loaded.tsx'

type Props<Data> = {
  record: Read & { data: Data | undefined }
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
  return <NotLoaded read={record} what={what} lines={lines} isPage={isPage} isRecord />
}
