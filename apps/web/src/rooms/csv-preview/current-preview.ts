/**
 * Preview of the current file, kept in the memory of the page while the user opens a record and returns. It belongs to one user and tenant. An upload
 * continues while the user is on another page.
 */

import type { CsvPreviewState } from '@prospect/api-client'
import { cancelJob } from '@prospect/api-client'
import { useSyncExternalStore } from 'react'
import { previewCsv } from './csv.queries.ts'
import type { CsvSettings } from './csv-settings.ts'
import { headingsOf } from './remembered-settings.ts'

export type CurrentPreview = {
  owner: string
  file: File
  /** Settings of the last request. */
  wanted: CsvSettings
  isSending: boolean
  error: unknown
  /** The last response, with the settings that it was requested with. */
  shown: { settings: CsvSettings; preview: CsvPreviewState } | null
  /** The headings as they were found without settings; null until then, and without headings. */
  headings: string | null
  rows: 'all' | 'flagged'
  /** Row whose form was opened; the user returns to it. */
  leftRow: number | null
}

let current: CurrentPreview | null = null
let sending: AbortController | null = null
const listeners = new Set<() => void>()

function set(next: CurrentPreview | null): void {
  current = next
  for (const listener of listeners) listener()
}

/** The preview of this owner (a user in a tenant), or null. */
export function useCurrentPreview(owner: string): CurrentPreview | null {
  const found = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
  return found?.owner === owner ? found : null
}

const fromTheTop = { rows: 'all', leftRow: null } as const

/** Selects a file without sending it, because it is too large. */
export function chooseFile(owner: string, file: File): void {
  stop()
  set({ owner, file, wanted: {}, isSending: false, error: null, shown: null, headings: null, ...fromTheTop })
}

/**
 * Uploads the file with these settings and returns the response; null if it failed or another upload replaced it. Cancels an earlier upload or job.
 */
export async function readFile(owner: string, file: File, wanted: CsvSettings): Promise<CsvPreviewState | null> {
  const known = current?.owner === owner && current.file === file ? current : null
  const before = known?.shown
  stop()
  const controller = new AbortController()
  sending = controller
  const { rows, leftRow, headings } = known ?? { ...fromTheTop, headings: null }
  const sent = { owner, file, wanted, error: null, rows, leftRow, headings }
  set({ ...sent, isSending: true, shown: before?.preview.status === 'ready' ? before : null })
  try {
    const preview = await previewCsv(file, wanted, controller.signal)
    if (sending !== controller || current === null) return null
    const found = known === null && preview.status === 'ready' ? headingsOf(preview) : headings
    set({ ...current, isSending: false, headings: found, shown: { settings: wanted, preview } })
    return preview
  } catch (error) {
    if (sending === controller && current !== null) set({ ...current, isSending: false, error })
    return null
  }
}

export function showRows(rows: CurrentPreview['rows']): void {
  if (current !== null) set({ ...current, rows })
}

/** Stores the row whose form opens; null after the user has returned. */
export function leaveRow(leftRow: number | null): void {
  if (current !== null) set({ ...current, leftRow })
}

/** Called when the job that reads a large file has ended, with or without success. */
export function updatePreview(preview: CsvPreviewState): void {
  if (current?.shown?.preview.id === preview.id) set({ ...current, shown: { ...current.shown, preview } })
}

export function forgetFile(): void {
  stop()
  set(null)
}

function stop(): void {
  sending?.abort()
  sending = null
  const preview = current?.shown?.preview
  // The job is no longer needed. If it cannot be cancelled, it ends by itself and its result expires.
  if (preview?.status !== 'reading' || preview.jobId === null) return
  cancelJob({ path: { jobId: preview.jobId }, body: {} }).catch(() => {})
}
