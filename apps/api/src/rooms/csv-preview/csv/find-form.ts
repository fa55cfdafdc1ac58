import { type Analysis, type AnalysisRequest, keptLimits } from './analysis.ts'
import { csvLimits, type Dialect } from './dialect.ts'
import { type FoundEncoding, findEncoding } from './encoding.ts'
import { findDelimiter, findDelimiterLine, findQuote, type SampleRow, sampleRows } from './find-dialect.rules.ts'
import { findHeader } from './find-header.rules.ts'
import type { ReadAt } from './read-at.ts'
import { suggestMapping } from './suggest-mapping.rules.ts'
import { textPieces } from './text-pieces.ts'

/** Number of rows from which the fields of columns are suggested. */
const SAMPLE_ROWS = 100
/** Number of bytes from which the form of a file is detected. */
const SAMPLE_BYTES = 262_144

export type FoundForm = Pick<Analysis, 'dialect' | 'doubts' | 'columns' | 'headerChoices'>

/** Detects the dialect of a file and the possible fields of its columns, from its beginning. Errors: CsvFault for a file that is not text. */
export function findForm(read: ReadAt, { chosen, mapping }: AnalysisRequest): FoundForm {
  const encoding: FoundEncoding =
    chosen.encoding === undefined
      ? findEncoding(read)
      : { encoding: chosen.encoding, hasByteOrderMark: false, doubt: null }
  const [first] = textPieces(read, encoding.encoding, { pieceBytes: SAMPLE_BYTES })
  const text = first === undefined ? '' : 'text' in first ? first.text : first.textBefore
  const delimiterLine = findDelimiterLine(text)
  const sample = text.slice(delimiterLine?.characters ?? 0)
  const quote = chosen.quote === undefined ? findQuote(sample) : chosen.quote
  const told = chosen.delimiter ?? delimiterLine?.delimiter
  const delimiter = told === undefined ? findDelimiter(sample, quote) : { delimiter: told, doubt: null }
  const linesBefore = delimiterLine === undefined ? 0 : 1
  const rows = sampleRows(sample, delimiter.delimiter, quote)
    .slice(0, SAMPLE_ROWS)
    .map(({ line, cells }) => ({ line: line + linesBefore, cells }))
  const header = findHeader(rows, chosen)
  const named = rows.find(({ line }) => line === header.line)?.cells ?? null
  const below = rows.filter(({ line }) => line > (header.line ?? 0)).map(({ cells }) => cells)
  const suggestions = suggestMapping(named, below)
  const width = named?.length ?? commonWidth(rows)
  const dialect: Dialect = {
    encoding: encoding.encoding,
    delimiter: delimiter.delimiter,
    quote,
    headerLine: header.line,
  }
  return {
    dialect: {
      ...dialect,
      hasByteOrderMark: encoding.hasByteOrderMark,
      hasDelimiterLine: delimiterLine !== undefined,
      lineEnds: 'none',
    },
    doubts: { encoding: encoding.doubt, delimiter: delimiter.doubt, quote: null, header: header.doubt },
    headerChoices: rows.filter(({ line }) => line <= csvLimits.headerLines).map(choiceOf),
    columns: Array.from({ length: width }, (_, column) => {
      const { field: suggested = null, because = null } = suggestions[column] ?? {}
      return {
        name: named === null ? null : (named[column] ?? '').slice(0, keptLimits.cellCharacters),
        suggested,
        because,
        field: mapping === undefined ? suggested : (mapping[column] ?? null),
      }
    }),
  }
}

function choiceOf({ line, cells }: SampleRow): Analysis['headerChoices'][number] {
  const text = cells
    .map((cell) => cell.replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')
    .join(' · ')
  const limit = keptLimits.headerChoiceCharacters
  return { line, text: text.length > limit ? `${text.slice(0, limit - 1)}…` : text }
}

function commonWidth(rows: readonly SampleRow[]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows.map(({ cells }) => cells)) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}
