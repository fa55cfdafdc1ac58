import type { IdentifierKind } from '../../normalization/normalization.ts'
import type { Finding, NoteCode, ProblemCode } from './check-row.rules.ts'
import type { ChosenDialect, Dialect, Fault } from './dialect.ts'
import type { CsvField } from './fields.ts'
import type { MalformedCode } from './record-reader.ts'

/** Input of one analysis. */
export type AnalysisRequest = {
  /** path of the uploaded file, valid during the analysis */
  path: string
  tenantId: string
  chosen: ChosenDialect
  /** field of each column as the person chose it; undefined if the suggested fields are used */
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

/** A duplicate: another row of the file with the same identifier. For a row without identifiers, one with the same cells. */
export type Duplicate = { column: number | null; kind: IdentifierKind | 'cells'; row: number }

export type LineEndName = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'

/** A row that the preview shows. Columns count from 0, rows and lines from 1. The header does not count as a row. */
export type KeptRow = {
  row: number
  line: number
  cells: string[]
  /** columns with a truncated cell */
  cut: number[]
  problems: Finding<ProblemCode>[]
  notes: Finding<NoteCode>[]
  duplicates: Duplicate[]
  matches: Match[]
  /** columns with a suppressed value */
  suppressed: number[]
  /** null if the suppression check failed and nothing else blocks the row */
  doNotContact: boolean | null
}

export type Analysis = {
  /** `hasDelimiterLine`: line 1 sets the delimiter, such as `sep=;`, and does not count as a row */
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
    /** number of rows for which the suppression check failed */
    unknownRows: number
    problems: Partial<Record<ProblemCode, number>>
    notes: Partial<Record<NoteCode, number>>
  }
  /** position at which reading ended; the totals count the rows before it */
  fault: Fault | null
  malformed: { code: MalformedCode; line: number; column: number }[]
  firstRows: KeptRow[]
  /** rows with a problem, a duplicate, a known value or a suppressed value */
  flaggedRows: KeptRow[]
}

/** Limits of the part of a file that a preview contains; `docs/limits.md` lists them. */
export const keptLimits = {
  firstRows: 500,
  flaggedRows: 1_000,
  malformed: 100,
  cellCharacters: 1_000,
  /** maximum number of characters of all shown rows together; if rows are long, fewer rows are shown */
  characters: 2_000_000,
} as const

export type AnalysisOptions = AnalysisRequest & {
  isCancelled: () => boolean
  progress: (bytes: number) => void
}
