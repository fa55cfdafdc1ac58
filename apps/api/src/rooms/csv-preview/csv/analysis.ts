import type { IdentifierKind } from '../../normalization/normalization.ts'
import type { Finding, NoteCode, ProblemCode } from './check-row.rules.ts'
import type { ChosenDialect, Dialect, Fault } from './dialect.ts'
import type { CsvField } from './fields.ts'
import type { MalformedCode } from './record-reader.ts'

/** What one analysis of a file is asked for. */
export type AnalysisRequest = {
  /** where the uploaded file lies for as long as this takes */
  path: string
  tenantId: string
  chosen: ChosenDialect
  /** the person's word, column by column; undefined: as suggested */
  mapping: readonly (CsvField | null)[] | undefined
  phoneRegion: string | null
}

export type Match = {
  column: number
  kind: IdentifierKind
  businessId: string
  name: string
  doNotContact: boolean
}

/** Another row of the file with the same identifier, or with the same cells where a row has none. */
export type Duplicate = { column: number | null; kind: IdentifierKind | 'cells'; row: number }

export type LineEndName = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'

/** A row that is kept to be shown. Columns count from 0, rows and lines from 1; the header is no row. */
export type KeptRow = {
  row: number
  line: number
  cells: string[]
  /** columns whose cell is longer than is kept */
  cut: number[]
  problems: Finding<ProblemCode>[]
  notes: Finding<NoteCode>[]
  duplicates: Duplicate[]
  matches: Match[]
  /** columns whose value is suppressed */
  suppressed: number[]
  /** null: the gate could not say, and nothing else says that it is */
  doNotContact: boolean | null
}

export type Analysis = {
  /** `hasDelimiterLine`: line 1 names the delimiter and is no row */
  dialect: Dialect & { hasByteOrderMark: boolean; hasDelimiterLine: boolean; lineEnds: LineEndName }
  doubts: { encoding: string | null; delimiter: string | null; header: string | null }
  columns: {
    name: string | null
    suggested: CsvField | null
    because: 'header' | 'content' | null
    field: CsvField | null
  }[]
  totals: {
    rows: number
    blankLines: number
    malformedRows: number
    rowsWithProblems: number
    duplicateRows: number
    matchingRows: number
    doNotContactRows: number
    /** rows of which the gate could not say whether they may be contacted */
    unknownRows: number
    problems: Partial<Record<ProblemCode, number>>
    notes: Partial<Record<NoteCode, number>>
  }
  /** reading ended here; the totals count what was read before */
  fault: Fault | null
  malformed: { code: MalformedCode; line: number; column: number }[]
  firstRows: KeptRow[]
  /** rows with a problem, a duplicate, a match or a block */
  flaggedRows: KeptRow[]
}

/** The bounds of what is kept of a file; `docs/limits.md` shows them. */
export const keptLimits = {
  firstRows: 500,
  flaggedRows: 1_000,
  malformed: 100,
  cellCharacters: 1_000,
  /** of all rows together; past it fewer rows are kept */
  characters: 2_000_000,
} as const

export type AnalysisOptions = AnalysisRequest & {
  isCancelled: () => boolean
  progress: (bytes: number) => void
}
