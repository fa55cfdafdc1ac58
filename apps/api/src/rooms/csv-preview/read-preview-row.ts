import type { UserActor } from '../../lib/actor.ts'
import type { Store } from '../../store/store.ts'
import { readRows, requireReady } from './csv-previews.ts'

/** One row as a preview shows it. Columns count from 1. `isCut`: true if the cell is longer than the text shown. */
export type PreviewRow = {
  fileSha256: string
  row: number
  line: number
  cells: { column: number; name: string | null; value: string; isCut: boolean }[]
}

/**
 * Reads a row of the person's own preview; returns undefined if the preview does not include the row. Errors: `not_found`, `conflict` (the file is
 * not read yet), `too_many_waiting`, `unavailable`.
 */
export async function readPreviewRow(
  store: Store,
  actor: UserActor,
  previewId: string,
  row: number,
): Promise<PreviewRow | undefined> {
  const preview = requireReady(store, actor, previewId)
  const window = { show: 'all', after: row - 1, limit: 1 } as const
  const [found] = await readRows(store, preview, window)
  if (found === undefined) return undefined
  return {
    fileSha256: preview.file.sha256,
    row: found.row,
    line: found.line,
    cells: found.cells.map((value, place) => ({
      column: place + 1,
      name: preview.analysis.columns[place]?.name ?? null,
      value,
      isCut: found.cut.includes(place),
    })),
  }
}
