import { CsvFault, type Delimiter, delimiters, type Quote } from './dialect.ts'
import { createRecordReader } from './record-reader.ts'

export type FoundDelimiter = { delimiter: Delimiter; doubt: string | null }

const names: Record<Delimiter, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }
const SAMPLE_ROWS = 200
/**
 * Number of characters that are parsed with each delimiter, of which three are wrong and fail on every row. The number suffices to see how many
 * columns the rows have.
 */
const SCORED_CHARACTERS = 65_536

/** Returns `'` if the sample quotes cells with `'` and contains no `"`; otherwise `"`. */
export function findQuote(sample: string): Quote {
  if (sample.includes('"')) return '"'
  const opening = sample.match(/(?:^|[,;\t|\r\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const lines = sample.split(/\r\n|\n|\r/).length
  return opening >= Math.max(2, lines - 1) ? "'" : '"'
}

/** Returns the delimiter and the length of a first line such as `sep=;`, which sets the delimiter for Excel and is no row of the table. */
export function findDelimiterLine(text: string): { delimiter: Delimiter; characters: number } | undefined {
  const line = /^"?sep=([,;\t|])"?(?:\r\n|\n|\r|$)/i.exec(text)
  const delimiter = delimiters.find((one) => one === line?.[1])
  return line === null || delimiter === undefined ? undefined : { delimiter, characters: line[0].length }
}

/**
 * Returns the delimiter that splits the sample into rows with the same number of columns, more than one. If two delimiters do so equally well, or
 * none does, the result contains a sentence about this (`doubt`).
 */
export function findDelimiter(sample: string, quote: Quote | null): FoundDelimiter {
  const scored = delimiters
    .map((delimiter) => ({ delimiter, ...widths(sample, delimiter, quote) }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = scored
  if (best === undefined || best.score === 0) {
    return { delimiter: ',', doubt: 'There is only one column with any delimiter.' }
  }
  const doubt =
    next !== undefined && next.score > 0.9 * best.score
      ? `It can also be read with ${names[next.delimiter]} between its columns.`
      : best.share < 0.9
        ? 'The rows have different numbers of columns.'
        : null
  return { delimiter: best.delimiter, doubt }
}

/**
 * Scores a delimiter by the number of rows that have the most frequent number of columns. A delimiter that gives only one column gets no score. Text
 * behind a closing quote lowers the score: a wrong delimiter finds it at each quoted cell, and can then take the content of one for rows.
 */
function widths(sample: string, delimiter: Delimiter, quote: Quote | null): { score: number; share: number } {
  const { rows, malformed } = readSample(sample.slice(0, SCORED_CHARACTERS), delimiter, quote)
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [width, most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [1, 0]
  const share = rows.length === 0 ? 0 : most / rows.length
  const wellFormed = rows.length / (rows.length + malformed)
  return width < 2 ? { score: 0, share } : { score: share * wellFormed * Math.min(2, 1 + width / 100), share }
}

/** A row of the sample with the number of its first line, after a line such as `sep=;`. */
export type SampleRow = { line: number; cells: string[] }

/** Returns the first rows of a text. The last row can be incomplete; it is included only if it is the only one. */
export function sampleRows(sample: string, delimiter: Delimiter, quote: Quote | null): SampleRow[] {
  return readSample(sample, delimiter, quote).rows
}

type ReadSample = { rows: SampleRow[]; malformed: number }

/** `malformed`: the number of lines among the rows that are no row. */
function readSample(sample: string, delimiter: Delimiter, quote: Quote | null): ReadSample {
  const rows: SampleRow[] = []
  let malformed = 0
  const reader = createRecordReader(
    { delimiter, quote },
    {
      row: (cells, line) => rows.length < SAMPLE_ROWS && rows.push({ line, cells }),
      malformed: () => {
        if (rows.length < SAMPLE_ROWS) malformed += 1
      },
      blankLine: () => {},
    },
  )
  try {
    reader.push(sample)
    if (rows.length === 0) reader.end()
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
  }
  return { rows, malformed }
}
