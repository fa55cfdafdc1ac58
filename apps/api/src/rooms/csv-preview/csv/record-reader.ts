import { CsvError, parse } from 'csv-parse/sync'
import { numeral } from '../../../lib/numeral.ts'
import { cutLine, type LineDefect } from './cut-line.ts'
import { CsvFault, csvLimits, type Dialect } from './dialect.ts'

/** Distance up to which two quotes are parsed in one call, because each call of the library costs some 20 µs. */
const NEAR_CHARACTERS = 2_048
/** Number of characters that are passed to the library at once, unless a single row is longer. */
const SEGMENT_CHARACTERS = 262_144

export type RecordSink = {
  /** Receives a parsed row and the number of its first line. `isOverLines`: a cell contains a line end. Its cells can be slices of a large text, so copy the cells that you store. */
  row(cells: string[], line: number, isOverLines: boolean): void
  /** Receives a line that is not read, with its text. Reading continues at the next line. */
  malformed(defect: LineDefect & { line: number; text: string }): void
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
  /** Returns the text after the last parsed row, which is the beginning of the next one, and the number of its first line. */
  pending(): { text: string; line: number }
}

/**
 * Parses pieces of text into rows. A line whose quotes close on it is split here. `csv-parse` reads the rows that continue on further lines, because it
 * was the only one of the compared parsers that passed the whole set of hostile test files. Line ends may differ within a file.
 *
 * A quote defect ends at its line: the line is reported, and reading resumes at the next line. An opening quote is such a defect if the text up to the
 * next quote makes no row, if the file ends before it is closed, or if it is not closed within `csvLimits.rowCharacters`. With a `width`, it is also one
 * if the row over several lines has another number of cells and each of its lines alone has exactly `width` cells. Each line is therefore part of a row,
 * reported as malformed or blank, whatever the quotes of the file are.
 */
export function createRecordReader(
  dialect: Pick<Dialect, 'delimiter' | 'quote'> & { width?: number; firstLine?: number },
  sink: RecordSink,
): RecordReader {
  const { delimiter, quote, width, firstLine = 1 } = dialect
  const lineEnds: LineEnds = { lf: 0, crlf: 0, cr: 0 }
  let rest = ''
  /** the number of the first line of `rest` */
  let line = firstLine
  /** Number of characters that `rest` must have before an open quote is tried again. It doubles, so that a long row is not parsed too often. */
  let neededCharacters = 0
  /** Number of characters up to which rows near each other share one call of the library. A defect resets it, because the call then ends early. */
  let segmentCharacters = SEGMENT_CHARACTERS

  function emit(cells: string[], at: number, isOverLines = false): void {
    if (cells.length === 1 && cells[0] === '') {
      sink.blankLine(at)
      return
    }
    if (cells.length > csvLimits.columns) {
      throw fault('too_many_columns', at, csvLimits.columns + 1, `This row has ${numeral(cells.length)} columns`)
    }
    sink.row(cells, at, isOverLines)
  }

  function drain(text: string, isEnd: boolean): void {
    let at = 0
    /** earliest end of the next segment; if the last segment ended within a quoted cell, it is later than the end of that segment */
    let earliestEnd = 0
    let isOpen = false
    for (;;) {
      if (!isOpen) at = readSingleLines(text, at, isEnd)
      const nextQuote = quoteBehind(text, at)
      if (nextQuote === Number.POSITIVE_INFINITY || at >= text.length) break
      const end = endOfSegment(text, at, Math.max(nextQuote, Math.min(earliestEnd, text.length - 1)), isEnd)
      if (end === undefined) break
      const read = readQuoted(text.slice(at, end))
      at += read.characters
      const isTooLong = end - at > csvLimits.rowCharacters
      const isDefect = read.isDefect || (read.isOpen && (isTooLong || (isEnd && end === text.length)))
      isOpen = read.isOpen && !isDefect
      if (isDefect) at = nameLine(text, at)
      // A row that continues gets more text. The amount is doubled each time, so that a long row is not parsed again too often.
      earliestEnd = isOpen ? end + (end - at) : 0
      segmentCharacters = isDefect ? NEAR_CHARACTERS : Math.min(2 * segmentCharacters, SEGMENT_CHARACTERS)
      if (isOpen && end === text.length) break
    }
    rest = text.slice(at)
    neededCharacters = isOpen ? Math.min(2 * rest.length, csvLimits.rowCharacters + 1) : 0
    if (!isOpen && rest.length > csvLimits.rowCharacters) {
      throw fault('row_too_long', line, null, `This row is longer than ${numeral(csvLimits.rowCharacters)} characters`)
    }
  }

  function quoteBehind(text: string, from: number): number {
    return quote === null ? Number.POSITIVE_INFINITY : find(text, quote, from)
  }

  /**
   * Reads lines up to the first one with a quoted cell that does not end on it. At the end of the file it also reads a last line without a line end and
   * without quotes.
   */
  function readSingleLines(text: string, from: number, isEnd: boolean): number {
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
      const content = text.slice(at, end)
      const cells = cellsOf(content, nextQuote < end)
      if (!Array.isArray(cells)) {
        if (cells.code === 'quote_not_closed') return at
        sink.malformed({ ...cells, line, text: content })
      } else emit(cells, line)
      endLine(end === lf ? 'lf' : next === end + 2 ? 'crlf' : 'cr')
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

  function endLine(kind: keyof LineEnds): void {
    lineEnds[kind] += 1
    line += 1
  }

  function cellsOf(text: string, hasQuote: boolean): string[] | LineDefect {
    if (text === '') return ['']
    return hasQuote && quote !== null ? cutLine(text, delimiter, quote) : text.split(delimiter)
  }

  /** Reports the line at `from` as malformed, and returns the position of the next line. The line begins a row that `csv-parse` refused. */
  function nameLine(text: string, from: number): number {
    const next = behindLineEnd(text, from, true) ?? text.length
    const content = /^[^\r\n]*/.exec(text.slice(from, next))?.[0] ?? ''
    const cells = cellsOf(content, true)
    if (Array.isArray(cells)) throw new Error('A line that can be split was refused.')
    sink.malformed({ ...cells, line, text: content })
    const ends = text.slice(from + content.length, next)
    if (ends === '') line += 1
    else endLine(ends === '\n' ? 'lf' : ends === '\r' ? 'cr' : 'crlf')
    return next
  }

  /**
   * Returns the end of the next segment for the library. It is after a line end without a quote nearby; undefined if that text has not arrived yet.
   */
  function endOfSegment(text: string, from: number, earliest: number, isEnd: boolean): number | undefined {
    let end = behindLineEnd(text, earliest, isEnd)
    while (end !== undefined && end < text.length && end - from < segmentCharacters) {
      const near = text.indexOf(quote ?? '', end)
      if (near === -1 || near - end > NEAR_CHARACTERS) break
      const further = behindLineEnd(text, near, isEnd)
      if (further === undefined) break
      end = further
    }
    return end
  }

  /** Emits the rows of a segment up to a quote defect, or up to a quoted cell that the segment does not close. */
  function readQuoted(segment: string): { characters: number; isOpen: boolean; isDefect: boolean } {
    const bytes = Buffer.from(segment)
    const isAscii = bytes.length === segment.length
    const counted = countLineEnds(bytes)
    let readTo = 0
    let refused: CsvError | SeveralRows | undefined
    try {
      parse(bytes, {
        delimiter,
        quote,
        escape: quote,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        on_record: (cells: string[], info) => {
          const inner = cells.reduce((sum, cell) => sum + lineEndsIn(cell), 0)
          if (inner > 0 && isSeveralRows(cells, bytes, readTo, info.bytes)) throw new SeveralRows()
          counted.to(info.bytes)
          readTo = info.bytes
          emit(cells, line + counted.ends - inner - (endsLine(bytes, info.bytes) ? 1 : 0), inner > 0)
          return null
        },
      })
    } catch (error) {
      if (!(error instanceof CsvError || error instanceof SeveralRows)) throw error
      refused = error
    }
    const bytesRead = refused === undefined ? bytes.length : readTo
    counted.to(bytesRead)
    line += counted.ends
    lineEnds.lf += counted.lf
    lineEnds.crlf += counted.crlf
    lineEnds.cr += counted.cr
    const characters = isAscii || bytesRead === bytes.length ? bytesRead : bytes.toString('utf8', 0, bytesRead).length
    const isOpen = refused instanceof CsvError && refused.code === 'CSV_QUOTE_NOT_CLOSED'
    return {
      characters: bytesRead === bytes.length ? segment.length : characters,
      isOpen,
      isDefect: refused !== undefined && !isOpen,
    }
  }

  function isSeveralRows(cells: readonly string[], bytes: Buffer, from: number, to: number): boolean {
    if (width === undefined || width < 2 || cells.length === width) return false
    const lines = bytes.toString('utf8', from, to).split(anyLineEnd)
    return lines.every((one, at) => one.split(delimiter).length === width || (one === '' && at === lines.length - 1))
  }

  return {
    lineEnds,
    push: (text) => {
      rest += text
      if (rest.length >= neededCharacters) drain(rest, false)
    },
    end: () => {
      if (rest !== '') drain(rest, true)
    },
    pending: () => ({ text: rest, line }),
    position: (textBefore) => {
      const lines = (rest + textBefore).split(/\r\n|\n|\r/)
      return { line: line + lines.length - 1, character: (lines.at(-1) ?? '').length + 1 }
    },
  }
}

/** Thrown out of the library if a row over several lines is rows of one line each, of which two have a stray quote. */
class SeveralRows extends Error {}

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

function fault(
  code: 'row_too_long' | 'too_many_columns',
  line: number,
  column: number | null,
  sentence: string,
): CsvFault {
  const place = column === null ? `Line ${numeral(line)}` : `Line ${numeral(line)}, column ${numeral(column)}`
  return new CsvFault({ code, message: `${place}: ${sentence}.`, line, column, character: null })
}
