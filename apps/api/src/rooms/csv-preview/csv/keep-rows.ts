import { type Duplicate, type KeptRow, keptLimits } from './analysis.ts'

type Row = Omit<KeptRow, 'cut'>

export type KeptRows = {
  /** Returns true if a row would be stored, so that the caller does not build a row that is not. */
  hasRoom(isFlagged: boolean): boolean
  keep(row: Row): void
  /** adds the duplicate to a stored row that shares a value with a later row */
  flag(row: number, duplicate: Duplicate): void
  firstRows: KeptRow[]
  flaggedRows: KeptRow[]
}

/** Stores the first rows of a file and the first rows with a finding, up to a number of rows and characters. */
export function createKeptRows(): KeptRows {
  const firstRows: KeptRow[] = []
  const flaggedRows: KeptRow[] = []
  const byNumber = new Map<number, KeptRow>()
  let characters = 0

  return {
    firstRows,
    flaggedRows,
    hasRoom: (isFlagged) =>
      characters < keptLimits.characters &&
      (firstRows.length < keptLimits.firstRows || (isFlagged && flaggedRows.length < keptLimits.flaggedRows)),
    keep(row) {
      const cut: number[] = []
      const cells = row.cells.map((cell, column) => {
        if (cell.length <= keptLimits.cellCharacters) return copied(cell)
        cut.push(column)
        return copied(cell.slice(0, keptLimits.cellCharacters))
      })
      const kept = { ...row, cells, cut }
      characters += cells.reduce((sum, cell) => sum + cell.length, 0)
      byNumber.set(row.row, kept)
      if (firstRows.length < keptLimits.firstRows) firstRows.push(kept)
      if (isFlagged(kept) && flaggedRows.length < keptLimits.flaggedRows) flaggedRows.push(kept)
    },
    flag(number, duplicate) {
      const kept = byNumber.get(number)
      if (kept === undefined) return
      const wasFlagged = isFlagged(kept)
      addDuplicate(kept.duplicates, duplicate)
      if (wasFlagged) return
      const at = flaggedRows.findIndex(({ row }) => row > number)
      flaggedRows.splice(at === -1 ? flaggedRows.length : at, 0, kept)
      if (flaggedRows.length > keptLimits.flaggedRows) flaggedRows.pop()
    },
  }
}

/** Adds a duplicate to a list. For each cell only the first other row is listed. */
export function addDuplicate(duplicates: Duplicate[], more: Duplicate): void {
  if (duplicates.some(({ kind, column }) => kind === more.kind && column === more.column)) return
  duplicates.push(more)
}

function isFlagged({ problems, duplicates, matches, doNotContact }: Row): boolean {
  return problems.length > 0 || duplicates.length > 0 || matches.length > 0 || doNotContact === true
}

/** Copies a text. A cell is a slice of its piece of text, and without a copy it would keep the whole piece in memory. */
export function copied(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
