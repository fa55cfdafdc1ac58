import { csvLimits } from './dialect.ts'
import type { SampleRow } from './find-dialect.rules.ts'
import { looksLikeData } from './read-cell.rules.ts'
import { fieldOfHeading } from './suggest-mapping.rules.ts'

/** `line`: line of the row with the column names, or null if there is none. `doubt`: a sentence if the result is uncertain. */
export type FoundHeader = { line: number | null; doubt: string | null }

/** The choice of the person: a line, or whether the file has a header. If both are absent, the header is detected. */
type Chosen = { hasHeader?: boolean | undefined; headerLine?: number | undefined }

/** Minimum share of the cells of a column that must be data if its heading is unknown. */
const SURE_SHARE = 0.7
const HEADING_CHARACTERS = 60

/**
 * Finds the row with the column names within the first lines of a file. Without a choice, it is the first row with the columns of the file, because some
 * programs write notes before it, if its cells are headings by their text or their difference from the rows below.
 */
export function findHeader(sample: readonly SampleRow[], { hasHeader, headerLine }: Chosen = {}): FoundHeader {
  if (hasHeader === false) return { line: null, doubt: null }
  if (headerLine !== undefined) return chosenHeader(sample, headerLine)
  const rows = sample.filter(({ line }) => line <= csvLimits.headerLines)
  const [first] = rows
  if (first === undefined) return { line: null, doubt: null }
  const named = firstOfWidth(sample, rows) ?? first
  const found = asHeader(named, sample)
  if (!found.isHeader && hasHeader !== true) return { line: null, doubt: found.doubt }
  const before =
    named.line === first.line ? null : `The column names are on line ${named.line}. Rows before it are not read.`
  return { line: named.line, doubt: before ?? (hasHeader === true ? null : found.doubt) }
}

function chosenHeader(sample: readonly SampleRow[], wanted: number): FoundHeader {
  const row = sample.find(({ line }) => line >= wanted)
  if (row === undefined) return { line: null, doubt: `No row begins on line ${wanted} or after it.` }
  const isMoved = row.line !== wanted
  return { line: row.line, doubt: isMoved ? `No row begins on line ${wanted}. Line ${row.line} is used.` : null }
}

/**
 * Returns the first row that has as many filled cells as the columns of the file require, or two known headings. A title or a note before them has
 * only one.
 */
function firstOfWidth(sample: readonly SampleRow[], rows: readonly SampleRow[]): SampleRow | undefined {
  const widths = sample.map(({ cells }) => filledIn(cells)).sort((a, b) => a - b)
  const needed = (widths[Math.floor(widths.length / 2)] ?? 1) / 2
  return rows.find(({ cells }) => (filledIn(cells) > 1 && filledIn(cells) >= needed) || knownIn(cells) >= 2)
}

function asHeader(
  { line, cells }: SampleRow,
  sample: readonly SampleRow[],
): { isHeader: boolean; doubt: string | null } {
  const names = cells.map((cell) => cell.trim())
  const below = sample.filter((row) => row.line > line).map((row) => row.cells)
  const known = knownIn(names)
  if (hasData(names)) return { isHeader: false, doubt: null }
  const unsure = 'Check whether the first row contains the column names.'
  if (known >= 2 || (known === 1 && names.length <= 2))
    return { isHeader: true, doubt: below.length === 0 ? unsure : null }
  const isUnlike = names.some((_, column) => {
    const filled = below.map((row) => row[column] ?? '').filter((cell) => cell.trim() !== '')
    return filled.length > 0 && filled.filter(looksLikeData).length / filled.length >= SURE_SHARE
  })
  const areNames =
    names.every((name) => name !== '' && name.length <= HEADING_CHARACTERS) && new Set(names).size === names.length
  if (isUnlike && areNames) return { isHeader: true, doubt: null }
  return { isHeader: areNames && known > 0, doubt: unsure }
}

const filledIn = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length
const knownIn = (cells: readonly string[]) => cells.filter((cell) => fieldOfHeading(cell) !== null).length
const hasData = (cells: readonly string[]) => cells.some(looksLikeData)
