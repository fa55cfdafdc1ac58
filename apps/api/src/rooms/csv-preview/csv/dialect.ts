/** The settings that are needed to read a CSV file. */
export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export const quotes = ['"', "'"] as const
export type Quote = (typeof quotes)[number]

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

export type Dialect = {
  encoding: Encoding
  delimiter: Delimiter
  /** null if quotes are ordinary characters */
  quote: Quote | null
  /** the first row names the columns */
  hasHeader: boolean
}

/** The settings that the person chose; absent ones are detected. */
export type ChosenDialect = {
  encoding?: Encoding | undefined
  delimiter?: Delimiter | undefined
  quote?: Quote | null | undefined
  hasHeader?: boolean | undefined
}

/** Limits of a file; `docs/limits.md` lists them. */
export const csvLimits = {
  /** characters of one row, including line ends in quotes; it limits the effect of a quote that is never closed */
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

/** The position where reading ended. `column` is the cell's number in its row, `character` the position in its line; both count from 1. */
export type Fault = {
  code: FaultCode
  message: string
  line: number
  column: number | null
  character: number | null
}

/** The file cannot be read further. Rows read before stay valid. */
export class CsvFault extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.code)
    this.name = 'CsvFault'
    this.fault = fault
  }
}
