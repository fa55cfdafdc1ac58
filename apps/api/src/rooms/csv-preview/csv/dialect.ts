/** How a CSV file is written down: all that reading it takes. */
export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export const quotes = ['"', "'"] as const
export type Quote = (typeof quotes)[number]

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

export type Dialect = {
  encoding: Encoding
  delimiter: Delimiter
  /** null: quotes are letters like any other */
  quote: Quote | null
  /** the first row names the columns */
  hasHeader: boolean
}

/** What the person said of a file; what is absent is found out. */
export type ChosenDialect = {
  encoding?: Encoding | undefined
  delimiter?: Delimiter | undefined
  quote?: Quote | null | undefined
  hasHeader?: boolean | undefined
}

/** The bounds of a file that is read; `docs/limits.md` shows them. */
export const csvLimits = {
  /** characters of one row, line ends in quotes among them: a quote that is never closed ends here */
  rowCharacters: 1_048_576,
  columns: 1_000,
} as const

export type FaultCode =
  | 'empty_file'
  | 'not_text'
  | 'spreadsheet_file'
  | 'nul_byte'
  | 'wrong_encoding'
  | 'quote_not_closed'
  | 'row_too_long'
  | 'too_many_columns'

/** Where reading ended. `column` is the cell's number in its row, `character` the place in its line; both count from 1. */
export type Fault = {
  code: FaultCode
  message: string
  line: number
  column: number | null
  character: number | null
}

/** The file cannot be read any further. What was read before it stands. */
export class CsvFault extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.code)
    this.name = 'CsvFault'
    this.fault = fault
  }
}
