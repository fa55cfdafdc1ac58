/** Supported delimiters of a CSV file. */
export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export const quotes = ['"', "'"] as const
export type Quote = (typeof quotes)[number]

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

export type Dialect = {
  encoding: Encoding
  delimiter: Delimiter
  /** the quote character; null if quotes are ordinary characters */
  quote: Quote | null
  /** number of the line on which the row with the names of the columns begins; null if the file has no such row */
  headerLine: number | null
}

/** The settings that the person chose. Missing settings are detected. */
export type ChosenDialect = {
  encoding?: Encoding | undefined
  delimiter?: Delimiter | undefined
  quote?: Quote | null | undefined
  hasHeader?: boolean | undefined
  /** line of the header, up to `csvLimits.headerLines`; `hasHeader` is then not false */
  headerLine?: number | undefined
}

/** Limits of a file; `docs/limits.md` lists them. */
export const csvLimits = {
  /** maximum number of characters of one row, including line ends within quotes; it limits the damage of a quote that is never closed */
  rowCharacters: 1_048_576,
  columns: 1_000,
  /** number of lines at the beginning of a file of which one can be the header */
  headerLines: 20,
} as const

export type FaultCode =
  | 'empty_file'
  | 'not_text'
  | 'spreadsheet_file'
  | 'nul_byte'
  | 'wrong_encoding'
  | 'row_too_long'
  | 'too_many_columns'

/** The fault at which reading ended. `column` is the number of the cell in its row, `character` the position in its line; both count from 1. */
export type Fault = {
  code: FaultCode
  message: string
  line: number
  column: number | null
  character: number | null
}

/** Thrown if the file cannot be read further. The rows read before stay valid. */
export class CsvFault extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.code)
    this.name = 'CsvFault'
    this.fault = fault
  }
}
