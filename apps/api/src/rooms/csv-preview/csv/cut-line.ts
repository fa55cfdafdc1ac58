import type { Delimiter, Quote } from './dialect.ts'

/** A defect of the quotes of a line. `column`: number of the cell with the defect, counted from 1. */
export type LineDefect = { code: 'quote_inside_cell' | 'text_after_quote' | 'quote_not_closed'; column: number }

/**
 * Splits a line into cells. Each quoted cell opens directly after a delimiter and closes directly before one, and a doubled quote is an escaped quote.
 * Returns the defect of any other line. `quote_not_closed` is no defect if the cell continues on further lines, which `csv-parse` must read.
 * `csv-parse` gives the same result for lines without a defect but is slower; `record-reader.test.ts` compares both. The line must not begin within a
 * quoted cell.
 */
export function cutLine(line: string, delimiter: Delimiter, quote: Quote): string[] | LineDefect {
  const cells: string[] = []
  const opening = quote.charCodeAt(0)
  let at = 0
  for (;;) {
    let end: number
    if (line.charCodeAt(at) === opening) {
      const closing = closingQuote(line, at + 1, quote)
      if (closing === -1) return { code: 'quote_not_closed', column: cells.length + 1 }
      const cell = line.slice(at + 1, closing)
      cells.push(cell.includes(quote) ? cell.replaceAll(quote + quote, quote) : cell)
      end = closing + 1
      if (end < line.length && line[end] !== delimiter) return { code: 'text_after_quote', column: cells.length }
    } else {
      const next = line.indexOf(delimiter, at)
      end = next === -1 ? line.length : next
      const cell = line.slice(at, end)
      if (cell.includes(quote)) return { code: 'quote_inside_cell', column: cells.length + 1 }
      cells.push(cell)
    }
    if (end === line.length) return cells
    at = end + 1
  }
}

/** Returns the position of the quote that closes the quoted cell whose text starts at `from`; -1 if the cell does not end on this line. */
function closingQuote(line: string, from: number, quote: Quote): number {
  let at = line.indexOf(quote, from)
  while (at !== -1 && line[at + 1] === quote) at = line.indexOf(quote, at + 2)
  return at
}
