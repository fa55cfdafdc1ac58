import type { ReactNode } from 'react'
import { NotLoaded, type Read } from '../layout/not-loaded.tsx'

type Props<Data> = {
  record: Read & { data: Data | undefined }
  /** Object of "Could not load …". */
  what: string
  lines: number
  /** False if something else on the page is its heading. */
  isPage?: boolean
  children: (data: Data) => ReactNode
}

/** A record that is loading, missing, failed to load, or loaded. A loaded record stays on screen when a later refresh fails. */
export function RecordBody<Data>({ record, what, lines, isPage = true, children }: Props<Data>) {
  if (record.data !== undefined) return children(record.data)
  return <NotLoaded read={record} what={what} lines={lines} isPage={isPage} isRecord />
}
