import { type Analysis, type AnalysisRequest, keptLimits } from './analysis.ts'
import type { Dialect } from './dialect.ts'
import { type FoundEncoding, findEncoding } from './encoding.ts'
import { findDelimiter, findDelimiterLine, findQuote, sampleRows } from './find-dialect.rules.ts'
import { findHeader, suggestMapping } from './suggest-mapping.rules.ts'
import { textPieces } from './text-pieces.ts'

/** Number of rows from which the fields of columns are suggested. */
const SAMPLE_ROWS = 100
/** Number of bytes from which the form of a file is detected. */
const SAMPLE_BYTES = 262_144

export type FoundForm = Pick<Analysis, 'dialect' | 'doubts' | 'columns'>

/** Detects the dialect of a file and the possible fields of its columns, from its beginning. Errors: CsvFault for a file that is not text. */
export function findForm(fd: number, { chosen, mapping }: AnalysisRequest): FoundForm {
  const encoding: FoundEncoding =
    chosen.encoding === undefined
      ? findEncoding(fd)
      : { encoding: chosen.encoding, hasByteOrderMark: false, doubt: null }
  const [first] = textPieces(fd, encoding.encoding, SAMPLE_BYTES)
  const text = first === undefined ? '' : 'text' in first ? first.text : first.textBefore
  const delimiterLine = findDelimiterLine(text)
  const sample = text.slice(delimiterLine?.characters ?? 0)
  const quote = chosen.quote === undefined ? findQuote(sample) : chosen.quote
  const told = chosen.delimiter ?? delimiterLine?.delimiter
  const delimiter = told === undefined ? findDelimiter(sample, quote) : { delimiter: told, doubt: null }
  const rows = sampleRows(sample, delimiter.delimiter, quote).slice(0, SAMPLE_ROWS)
  const header = chosen.hasHeader === undefined ? findHeader(rows) : { hasHeader: chosen.hasHeader, doubt: null }
  const [firstRow = [], ...others] = rows
  const suggestions = suggestMapping(header.hasHeader ? firstRow : null, header.hasHeader ? others : rows)
  const width = header.hasHeader ? firstRow.length : commonWidth(rows)
  const dialect: Dialect = {
    encoding: encoding.encoding,
    delimiter: delimiter.delimiter,
    quote,
    hasHeader: header.hasHeader,
  }
  return {
    dialect: {
      ...dialect,
      hasByteOrderMark: encoding.hasByteOrderMark,
      hasDelimiterLine: delimiterLine !== undefined,
      lineEnds: 'none',
    },
    doubts: { encoding: encoding.doubt, delimiter: delimiter.doubt, header: header.doubt },
    columns: Array.from({ length: width }, (_, column) => {
      const { field: suggested = null, because = null } = suggestions[column] ?? {}
      return {
        name: header.hasHeader ? (firstRow[column] ?? '').slice(0, keptLimits.cellCharacters) : null,
        suggested,
        because,
        field: mapping === undefined ? suggested : (mapping[column] ?? null),
      }
    }),
  }
}

function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}
