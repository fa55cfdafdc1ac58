/**
 * The file that a person looks at, in the page's memory while they go to a record and come back: for nobody else and no other tenant.
 * Sending goes on while they are elsewhere.
 */

import type { CsvPreviewState } from '@prospect/api-client'
import { cancelJob } from '@prospect/api-client'
import { useSyncExternalStore } from 'react'
import { previewCsv } from './csv.queries.ts'
import type { CsvSettings } from './csv-settings.ts'

export type CurrentPreview = {
  owner: string
  file: File
  /** what was asked for last */
  wanted: CsvSettings
  isSending: boolean
  error: unknown
  /** what was answered last, with what was asked for then */
  shown: { settings: CsvSettings; preview: CsvPreviewState } | null
  rows: 'first' | 'flagged'
  /** the row whose form was opened; the person returns to it */
  leftRow: number | null
}

let kept: CurrentPreview | null = null
let sending: AbortController | null = null
const listeners = new Set<() => void>()

function set(next: CurrentPreview | null): void {
  kept = next
  for (const listener of listeners) listener()
}

/** What is kept for this owner: a person in a tenant. */
export function useCurrentPreview(owner: string): CurrentPreview | null {
  const found = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => kept,
  )
  return found?.owner === owner ? found : null
}

const fromTheTop = { rows: 'first', leftRow: null } as const

/** Chooses a file without sending it: one that is too large to be. */
export function chooseFile(owner: string, file: File): void {
  stop()
  set({ owner, file, wanted: {}, isSending: false, error: null, shown: null, ...fromTheTop })
}

/** Sends the file, instead of whatever was sent or read before. */
export async function readFile(owner: string, file: File, wanted: CsvSettings): Promise<void> {
  const known = kept?.owner === owner && kept.file === file ? kept : null
  const before = known?.shown
  stop()
  const controller = new AbortController()
  sending = controller
  const { rows, leftRow } = known ?? fromTheTop
  const sent = { owner, file, wanted, error: null, rows, leftRow }
  set({ ...sent, isSending: true, shown: before?.preview.status === 'ready' ? before : null })
  try {
    const preview = await previewCsv(file, wanted, controller.signal)
    if (sending === controller && kept !== null)
      set({ ...kept, isSending: false, shown: { settings: wanted, preview } })
  } catch (error) {
    if (sending === controller && kept !== null) set({ ...kept, isSending: false, error })
  }
}

export function showRows(rows: CurrentPreview['rows']): void {
  if (kept !== null) set({ ...kept, rows })
}

/** Remembers the row whose form opens; `null` once the person is back. */
export function leaveRow(leftRow: number | null): void {
  if (kept !== null) set({ ...kept, leftRow })
}

/** Once a file that a job read is settled: read, or not. */
export function updatePreview(preview: CsvPreviewState): void {
  if (kept?.shown?.preview.id === preview.id) set({ ...kept, shown: { ...kept.shown, preview } })
}

export function forgetFile(): void {
  stop()
  set(null)
}

function stop(): void {
  sending?.abort()
  sending = null
  const preview = kept?.shown?.preview
  // Nobody waits for it any more; if it cannot be stopped, it ends by itself and is forgotten.
  if (preview?.status !== 'reading' || preview.jobId === null) return
  cancelJob({ path: { jobId: preview.jobId }, body: {} }).catch(() => {})
}
