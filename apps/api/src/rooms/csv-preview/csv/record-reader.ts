import { parse } from 'csv-parse/sync'
import { numeral } from '../../../lib/numeral.ts'
import { cutLine } from './cut-line.ts'
import { CsvFault, csvLimits, type Dialect } from './dialect.ts'

/** Distance up to which two quotes are parsed in one call, because each call of the library costs some 20 µs. */
const NEAR_CHARACTERS = 2_048
/** Number of characters that are passed to the library at once, unless a single row is longer. */
const SEGMENT_CHARACTERS = 262_144

/** Position of an opening quote that is not closed yet. */
type Open = { line: number; column: number }

export type MalformedCode = 'quote_inside_cell' | 'text_after_quote'

export type RecordSink = {
  /** Receives a parsed row and the number of its first line. Its cells can be slices of a large text, so copy the cells that you store. */
  row(cells: string[], line: number): void
  /** Receives a malformed row. The row is omitted, and reading continues after it. */
  malformed(problem: { code: MalformedCode; line: number; column: number }): void
  blankLine(line: number): void
}

export type LineEnds = { lf: number; crlf: number; cr: number }

export type RecordReader = {
  /** Parses the next piece of text. Throws CsvFault if the file cannot be read further. */
  push(text: string): void
  end(): void
  /** number of line ends outside quotes, by kind */
  lineEnds: LineEnds
  /**
   * Returns the position of a fault that is not in a parsed row, such as a byte that is no text. `textBefore`: the text between the last piece and
   * the fault.
   */
  position(textBefore: string): { line: number; character: number }
}

/**
 * Parses pieces of text into rows. Lines without quotes, and lines whose quotes have only one reading, are split here. `csv-parse` parses all other
 * lines together with their neighbours, because it was the only one of the compared parsers that passed the whole set of hostile test files. Line
 * ends may differ within a file.
 */
export function createRecordReader(dialect: Pick<Dialect, 'delimiter' | 'quote'>, sink: RecordSink): RecordReader {
  const { delimiter, quote } = dialect
  const lineEnds: LineEnds = { lf: 0, crlf: 0, cr: 0 }
  let rest = ''
  /** the number of the first line of `rest` */
  let line = 1
  let lastMalformedLine = 0

  function emit(cells: string[], at: number): void {
    if (cells.length === 1 && cells[0] === '') {
      sink.blankLine(at)
      return
    }
    if (cells.length > csvLimits.columns) {
      throw fault('too_many_columns', at, csvLimits.columns + 1, `This row has ${numeral(cells.length)} columns`)
    }
    sink.row(cells, at)
  }

  function drain(text: string, isEnd: boolean): void {
    let at = 0
    /** earliest end of the next segment; if the last segment ended within a quoted cell, it is later than the end of that segment */
    let earliestEnd = 0
    let open: Open | undefined
    while (at < text.length) {
      if (open === undefined) at = readPlainLines(text, at, isEnd)
      const nextQuote = quoteBehind(text, at)
      if (nextQuote === Number.POSITIVE_INFINITY || at >= text.length) break
      const end = endOfSegment(text, at, Math.max(nextQuote, Math.min(earliestEnd, text.length - 1)), isEnd)
      if (end === undefined) break
      const read = readQuoted(text.slice(at, end))
      at += read.characters
      open = read.open
      // A row that continues gets more text. The amount is doubled each time, so that a long row is not parsed again too often.
      earliestEnd = open === undefined ? 0 : end + (end - at)
      if (open !== undefined && (end === text.length || end - at > csvLimits.rowCharacters)) break
    }
    rest = text.slice(at)
    if (open !== undefined && (isEnd || rest.length > csvLimits.rowCharacters)) throw notClosed(open, isEnd)
    if (rest.length > csvLimits.rowCharacters) {
      throw fault('row_too_long', line, null, `This row is longer than ${numeral(csvLimits.rowCharacters)} characters`)
    }
  }

  function quoteBehind(text: string, from: number): number {
    return quote === null ? Number.POSITIVE_INFINITY : find(text, quote, from)
  }

  /** Reads whole lines up to the first line with ambiguous quotes. At the end of the file it also reads a last line without a line end. */
  function readPlainLines(text: string, from: number, isEnd: boolean): number {
    let at = from
    let lf = find(text, '\n', at)
    let cr = find(text, '\r', at)
    let nextQuote = quoteBehind(text, at)
    for (;;) {
      const end = Math.min(lf, cr)
      if (end === Number.POSITIVE_INFINITY) break
      let next = end + 1
      if (end === cr) {
        if (next === text.length && !isEnd) break
        if (text.charCodeAt(next) === LF) next += 1
      }
      const cells = cellsOf(text.slice(at, end), nextQuote < end)
      if (cells === undefined) return at
      if (end === lf) lineEnds.lf += 1
      else if (next === end + 2) lineEnds.crlf += 1
      else lineEnds.cr += 1
      emit(cells, line)
      line += 1
      at = next
      if (lf < at) lf = find(text, '\n', at)
      if (cr < at) cr = find(text, '\r', at)
      if (nextQuote < at) nextQuote = quoteBehind(text, at)
    }
    if (isEnd && at < text.length && nextQuote === Number.POSITIVE_INFINITY) {
      emit(text.slice(at).split(delimiter), line)
      line += 1
      at = text.length
    }
    return at
  }

  function cellsOf(text: string, hasQuote: boolean): string[] | undefined {
    if (text === '') return ['']
    return hasQuote && quote !== null ? cutLine(text, delimiter, quote) : text.split(delimiter)
  }

  /**
   * Returns the end of the next segment for the library. It is after a line end without a quote nearby; undefined if that text has not arrived yet.
   */
  function endOfSegment(text: string, from: number, earliest: number, isEnd: boolean): number | undefined {
    let end = behindLineEnd(text, earliest, isEnd)
    while (end !== undefined && end < text.length && end - from < SEGMENT_CHARACTERS) {
      const near = text.indexOf(quote ?? '', end)
      if (near === -1 || near - end > NEAR_CHARACTERS) break
      const further = behindLineEnd(text, near, isEnd)
      if (further === undefined) break
      end = further
    }
    return end
  }

  function readQuoted(segment: string): { characters: number; open: Open | undefined } {
    const bytes = Buffer.from(segment)
    const isAscii = bytes.length === segment.length
    const counted = countLineEnds(bytes)
    const skipped = countLineEnds(bytes)
    let readTo = 0
    let open: Open | undefined
    parse(bytes, {
      delimiter,
      quote,
      escape: quote,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_records_with_error: true,
      on_record: (cells: string[], info) => {
        counted.to(info.bytes)
        readTo = info.bytes
        const inner = cells.reduce((sum, cell) => sum + lineEndsIn(cell), 0)
        emit(cells, line + counted.ends - inner - (endsLine(bytes, info.bytes) ? 1 : 0))
        return null
      },
      on_skip: (error) => {
        if (error === undefined) return undefined
        skipped.to(Number(error.bytes ?? 0))
        const problemLine = line + skipped.ends
        const column = Number(error.column ?? 0) + 1
        if (error.code === 'CSV_QUOTE_NOT_CLOSED') open = { line: problemLine, column }
        else if (problemLine > lastMalformedLine) {
          lastMalformedLine = problemLine
          const code = error.code === 'CSV_INVALID_CLOSING_QUOTE' ? 'text_after_quote' : 'quote_inside_cell'
          sink.malformed({ code, line: problemLine, column })
        }
        return undefined
      },
    })
    const bytesRead = open === undefined ? bytes.length : readTo
    counted.to(bytesRead)
    line += counted.ends
    lineEnds.lf += counted.lf
    lineEnds.crlf += counted.crlf
    lineEnds.cr += counted.cr
    const characters = isAscii || bytesRead === bytes.length ? bytesRead : bytes.toString('utf8', 0, bytesRead).length
    return { characters: bytesRead === bytes.length ? segment.length : characters, open }
  }

  return {
    lineEnds,
    push: (text) => drain(rest === '' ? text : rest + text, false),
    end: () => {
      if (rest !== '') drain(rest, true)
    },
    position: (textBefore) => {
      const lines = (rest + textBefore).split(/\r\n|\n|\r/)
      return { line: line + lines.length - 1, character: (lines.at(-1) ?? '').length + 1 }
    },
  }
}

function find(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

/**
 * Returns the position after the first complete line end at or after `from`. A CR at the end of the text may be the first half of a line end, so it
 * is not complete.
 */
function behindLineEnd(text: string, from: number, isEnd: boolean): number | undefined {
  const end = Math.min(find(text, '\n', from), find(text, '\r', from))
  if (end === Number.POSITIVE_INFINITY) return isEnd ? text.length : undefined
  if (text[end] === '\n') return end + 1
  if (end + 1 === text.length) return isEnd ? text.length : undefined
  return text[end + 1] === '\n' ? end + 2 : end + 1
}

const LF = 10
const CR = 13

function endsLine(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === LF || bytes[at - 1] === CR
}

/** Returns a counter of line ends that continues at its last position, so that a segment is scanned once for all of its rows. */
function countLineEnds(bytes: Buffer) {
  const counted = {
    ends: 0,
    lf: 0,
    crlf: 0,
    cr: 0,
    at: 0,
    to(end: number) {
      for (; counted.at < end; counted.at++) {
        const byte = bytes[counted.at]
        if (byte === LF) {
          if (bytes[counted.at - 1] === CR && counted.at > 0) {
            counted.cr -= 1
            counted.crlf += 1
          } else {
            counted.lf += 1
            counted.ends += 1
          }
        } else if (byte === CR) {
          counted.cr += 1
          counted.ends += 1
        }
      }
    },
  }
  return counted
}

const anyLineEnd = /\r\n|\n|\r/g

function lineEndsIn(cell: string): number {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0
  return cell.match(anyLineEnd)?.length ?? 0
}

function notClosed(open: Open, isEnd: boolean): CsvFault {
  const where = isEnd ? 'before the file ends' : `within ${numeral(csvLimits.rowCharacters)} characters`
  return fault('quote_not_closed', open.line, open.column, `The quote that opens here is not closed ${where}`)
}

function fault(
  code: 'quote_not_closed' | 'row_too_long' | 'too_many_columns',
  line: number,
  column: number | null,
  sentence: string,
): CsvFault {
  const place = column === null ? `Line ${numeral(line)}` : `Line ${numeral(line)}, column ${numeral(column)}`
  return new CsvFault({ code, message: `${place}: ${sentence}.`, line, column, character: null })
}
