import type { Delimiter, Quote } from './dialect.ts'

/**
 * Splits a line into cells if only one reading of its quotes is possible. In such a line each quoted cell opens directly after a delimiter and closes
 * directly before one, and a doubled quote is an escaped quote. Returns undefined for any other line, which `csv-parse` must read. `csv-parse` gives
 * the same result for these lines but is slower; `record-reader.test.ts` compares both. The line must not begin within a quoted cell.
 */
export function cutLine(line: string, delimiter: Delimiter, quote: Quote): string[] | undefined {
  const cells: string[] = []
  const opening = quote.charCodeAt(0)
  let at = 0
  for (;;) {
    let end: number
    if (line.charCodeAt(at) === opening) {
      const closing = closingQuote(line, at + 1, quote)
      if (closing === -1) return undefined
      const cell = line.slice(at + 1, closing)
      cells.push(cell.includes(quote) ? cell.replaceAll(quote + quote, quote) : cell)
      end = closing + 1
      if (end < line.length && line[end] !== delimiter) return undefined
    } else {
      const next = line.indexOf(delimiter, at)
      end = next === -1 ? line.length : next
      const cell = line.slice(at, end)
      if (cell.includes(quote)) return undefined
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
