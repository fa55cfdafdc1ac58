import type { UserActor } from '../../lib/actor.ts'
import type { Store } from '../../store/store.ts'
import { requireReady } from './csv-previews.ts'

/** One row as a preview shows it. Columns count from 1. `isCut`: true if the cell is longer than the text shown. */
export type PreviewRow = {
  fileSha256: string
  row: number
  line: number
  cells: { column: number; name: string | null; value: string; isCut: boolean }[]
}

/**
 * Returns a row of the person's own preview, or undefined if the preview does not include the row. Errors: `not_found`, `conflict` (the file is not
 * read yet).
 */
export function readPreviewRow(store: Store, actor: UserActor, previewId: string, row: number): PreviewRow | undefined {
  const { analysis, file } = requireReady(store, actor, previewId)
  const found = [...analysis.firstRows, ...analysis.flaggedRows].find((one) => one.row === row)
  if (found === undefined) return undefined
  return {
    fileSha256: file.sha256,
    row: found.row,
    line: found.line,
    cells: found.cells.map((value, place) => ({
      column: place + 1,
      name: analysis.columns[place]?.name ?? null,
      value,
      isCut: found.cut.includes(place),
    })),
  }
}
