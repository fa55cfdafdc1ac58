import { CsvFault, type Delimiter, delimiters, type Quote } from './dialect.ts'
import { createRecordReader } from './record-reader.ts'

export type FoundDelimiter = { delimiter: Delimiter; doubt: string | null }

const names: Record<Delimiter, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }
const SAMPLE_ROWS = 200
/** Enough to see how wide rows are; read by each delimiter, of which three are wrong and find a fault in every row. */
const SCORED_CHARACTERS = 65_536

/** `"` unless the cells of the sample stand in `'` and none in `"`. */
export function findQuote(sample: string): Quote {
  if (sample.includes('"')) return '"'
  const opening = sample.match(/(?:^|[,;\t|\r\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const lines = sample.split(/\r\n|\n|\r/).length
  return opening >= Math.max(2, lines - 1) ? "'" : '"'
}

/** The first line by which Excel is told the delimiter (`sep=;`): not a row of the table. */
export function findDelimiterLine(text: string): { delimiter: Delimiter; characters: number } | undefined {
  const line = /^"?sep=([,;\t|])"?(?:\r\n|\n|\r|$)/i.exec(text)
  const delimiter = delimiters.find((one) => one === line?.[1])
  return line === null || delimiter === undefined ? undefined : { delimiter, characters: line[0].length }
}

/**
 * The delimiter by which the sample falls into rows of the same width, more than one column. Two that do it equally well, or none,
 * are told as a doubt.
 */
export function findDelimiter(sample: string, quote: Quote | null): FoundDelimiter {
  const scored = delimiters
    .map((delimiter) => ({ delimiter, ...widths(sample, delimiter, quote) }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = scored
  if (best === undefined || best.score === 0) {
    return { delimiter: ',', doubt: 'There is only one column, whatever the delimiter.' }
  }
  const doubt =
    next !== undefined && next.score > 0.9 * best.score
      ? `It also reads with ${names[next.delimiter]} between its columns.`
      : best.share < 0.9
        ? 'Its rows have different numbers of columns.'
        : null
  return { delimiter: best.delimiter, doubt }
}

/** How many rows are as wide as most are. One column says nothing. */
function widths(sample: string, delimiter: Delimiter, quote: Quote | null): { score: number; share: number } {
  const rows = sampleRows(sample.slice(0, SCORED_CHARACTERS), delimiter, quote)
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width, most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [1, 0]
  const share = rows.length === 0 ? 0 : most / rows.length
  return width < 2 ? { score: 0, share } : { score: share * Math.min(2, 1 + width / 100), share }
}

/** The first rows of a piece of text; a last row that is cut counts only when it is the only one. */
export function sampleRows(sample: string, delimiter: Delimiter, quote: Quote | null): string[][] {
  const rows: string[][] = []
  const reader = createRecordReader(
    { delimiter, quote },
    { row: (cells) => rows.length < SAMPLE_ROWS && rows.push(cells), malformed: () => {}, blankLine: () => {} },
  )
  try {
    reader.push(sample)
    if (rows.length === 0) reader.end()
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
  }
  return rows
}
