import type { IdentifierKind } from '../../normalization/normalization.ts'
import type { Finding, NoteCode, ProblemCode } from './check-row.rules.ts'
import type { LineDefect } from './cut-line.ts'
import type { ChosenDialect, Dialect, Fault } from './dialect.ts'
import type { Said } from './do-not-contact.rules.ts'
import type { CsvField } from './fields.ts'
import type { Duplicate, RowIndex } from './row-index.ts'

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

export type LineEndName = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'

/**
 * A line that has no reading. `text` is truncated. `doNotContact`: the line contains a suppressed value; null if the suppression
 * check failed.
 */
export type MalformedLine = LineDefect & { line: number; text: string; isCut: boolean; doNotContact: boolean | null }

/** A row as a preview shows it. Columns count from 0, rows and lines from 1. The header does not count as a row. */
export type CsvRow = {
  row: number
  line: number
  cells: string[]
  /** columns with a truncated cell */
  cut: number[]
  problems: Finding<ProblemCode>[]
  notes: Finding<NoteCode>[]
  duplicates: Duplicate[]
  matches: Match[]
  /** the values within cells that are none as a whole, as texts that can be read alone, and numbers that are written with separators, in digits */
  values: { column: number; kind: IdentifierKind | 'number'; texts: string[] }[]
  /** columns with a suppressed value */
  suppressed: number[]
  /** what the columns "Do not contact" say; null without such a column */
  said: Said | null
  /** true if a value, a record with it or the file forbids contact; null if nothing does, but a check failed or the file is unclear */
  doNotContact: boolean | null
}

/** The form of a file: dialect, header and the field of each column. */
export type Form = Pick<Analysis, 'dialect' | 'columns'>

export type Analysis = {
  /** the rows that begin in the first lines of the file, as a text of limited length; one of them can be chosen as the header */
  headerChoices: { line: number; text: string }[]
  /** `hasDelimiterLine`: line 1 sets the delimiter, such as `sep=;`, and does not count as a row */
  dialect: Dialect & { hasByteOrderMark: boolean; hasDelimiterLine: boolean; lineEnds: LineEndName }
  doubts: { encoding: string | null; delimiter: string | null; quote: string | null; header: string | null }
  columns: {
    name: string | null
    suggested: CsvField | null
    because: 'header' | 'content' | null
    field: CsvField | null
  }[]
  totals: {
    rows: number
    blankLines: number
    /** number of rows before the header, which are not read */
    rowsBeforeHeader: number
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
  /** the first malformed lines; `line` and `column` count from 1 */
  malformed: MalformedLine[]
  /** positions of the rows; without any content */
  index: RowIndex
}

/** Limits of the parts of a file that a response contains; `docs/limits.md` lists them. */
export const keptLimits = {
  malformed: 100,
  malformedCharacters: 500,
  headerChoiceCharacters: 120,
  cellCharacters: 1_000,
  /** number of characters after which a page of rows ends; a page with one long row has more */
  pageCharacters: 1_000_000,
} as const

export type AnalysisOptions = AnalysisRequest & {
  isCancelled: () => boolean
  progress: (bytes: number) => void
}
