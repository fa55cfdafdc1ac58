import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvFault, csvLimits, delimiters, type Fault, type Quote, quotes } from '../csv/dialect.ts'
import { createRecordReader } from '../csv/record-reader.ts'

type Read = {
  rows: string[][]
  lines: number[]
  malformed: unknown[]
  blank: number[]
  fault: Fault | null
  lineEnds: unknown
}

function read(
  text: string,
  dialect: { delimiter?: (typeof delimiters)[number]; quote?: Quote | null } = {},
  piece = text.length,
): Read {
  const answer: Read = { rows: [], lines: [], malformed: [], blank: [], fault: null, lineEnds: null }
  const reader = createRecordReader(
    { delimiter: ',', quote: '"', ...dialect },
    {
      row: (cells, line) => {
        answer.rows.push(cells)
        answer.lines.push(line)
      },
      malformed: (problem) => answer.malformed.push(problem),
      blankLine: (line) => answer.blank.push(line),
    },
  )
  try {
    for (let at = 0; at < text.length; at += Math.max(1, piece)) reader.push(text.slice(at, at + Math.max(1, piece)))
    reader.end()
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    answer.fault = error.fault
  }
  return { ...answer, lineEnds: reader.lineEnds }
}

/** Writes rows as in RFC 4180. `quoted` selects cells that are quoted although they need no quotes. */
function write(
  rows: readonly (readonly string[])[],
  delimiter: string,
  quote: Quote,
  lineEnd: string,
  quoteAll: boolean,
): string {
  const needs = (cell: string) => quoteAll || [delimiter, quote, '\n', '\r'].some((mark) => cell.includes(mark))
  const cellOf = (cell: string) => (needs(cell) ? quote + cell.replaceAll(quote, quote + quote) + quote : cell)
  return rows.map((row) => row.map(cellOf).join(delimiter) + lineEnd).join('')
}

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.stringMatching(/^[ab,;|\t"'\r\n ]{0,8}$/),
  fc.constantFrom('', 'a', '"', "'", ',', '\n', '\r\n', '\r', '""', 'é', '日本', '😀'),
)
/** Tables of at least two columns, because a row with one empty cell would be written as a blank line, which is not a row. */
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 12 }))

describe('correctly written text', () => {
  test('is read back exactly, under every delimiter, quote and line end, in pieces of any size', () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(...delimiters),
        fc.constantFrom(...quotes),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        (rows, delimiter, quote, lineEnd, quoteAll, piece, endsOpen) => {
          const text = write(rows, delimiter, quote, lineEnd, quoteAll)
          const sent = endsOpen && !text.endsWith(quote + lineEnd) ? text : text.slice(0, text.length)
          const answer = read(sent, { delimiter, quote }, piece)
          expect(answer).toMatchObject({ rows, malformed: [], blank: [], fault: null })
        },
      ),
      { numRuns: 400 },
    )
  })

  test('reports the first line of each row', () => {
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 30 }), (rows, lineEnd, piece) => {
        const { lines } = read(write(rows, ',', '"', lineEnd, false), {}, piece)
        let line = 1
        const expected = rows.map((row) => {
          const begins = line
          line += 1 + row.reduce((sum, one) => sum + (one.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
          return begins
        })
        expect(lines).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})

test('valid text is parsed like by the library alone, for any split into pieces', () => {
  const text = fc.stringMatching(/^[ab,"\n]{0,30}$/)
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 10 }), (wild, piece) => {
      let expected: string[][]
      try {
        expected = parse(wild, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] })
      } catch {
        return
      }
      const answer = read(wild, {}, piece)
      expect([answer.fault, answer.malformed]).toEqual([null, []])
      expect(answer.rows).toEqual(expected.filter((row) => row.length > 1 || row[0] !== ''))
    }),
    { numRuns: 2_000 },
  )
})

test('any text ends in rows or in a fault with its position, regardless of the pieces', () => {
  const wild = fc.oneof(fc.string(), fc.stringMatching(/^[ab,"\r\n]{0,40}$/))
  fc.assert(
    fc.property(wild, fc.integer({ min: 1, max: 10 }), (text, piece) => {
      const whole = read(text)
      const inPieces = read(text, {}, piece)
      expect(inPieces.fault).toEqual(whole.fault)
      if (whole.malformed.length === 0) expect(inPieces).toEqual(whole)
    }),
    { numRuns: 1_000 },
  )
})

test('a malformed row is reported with its line and column, and reading continues after it', () => {
  const answer = read('a,b\nc,6" pizza\nd,e\n"x"y,z\n"q",1\n')
  expect(answer.malformed).toEqual([
    { code: 'quote_inside_cell', line: 2, column: 2 },
    { code: 'text_after_quote', line: 4, column: 1 },
  ])
  expect(answer.rows[0]).toEqual(['a', 'b'])
  expect(answer.rows[1]).toEqual(['d', 'e'])
})

test.for([
  ['at the end', 'a,b\nc,"d\ne,f\n', 2, 2, 'before the file ends'],
  ['in a long file', `a,b\nc,"d\n${'e,f\n'.repeat(400_000)}`, 2, 2, 'within 1,048,576 characters'],
  ['among other quotes', `a,b\nc,"d\n${'"e","f"\n'.repeat(200_000)}`, 2, 2, 'The quote that opens here'],
] as const)('a quote that is never closed ends reading where it opened: %s', ([, text, line, column, words]) => {
  const { fault, malformed } = read(text, {}, 65_536)
  // If a later quote closes the cell, the text after that quote is the first fault.
  if (malformed.length > 0) return expect(malformed[0]).toEqual({ code: 'text_after_quote', line, column })
  expect(fault).toMatchObject({ code: 'quote_not_closed', line, column, message: expect.stringContaining(words) })
})

test('a line without an end, or a row of too many columns, ends reading at its line', () => {
  expect(read(`a,b\n${'x'.repeat(csvLimits.rowCharacters + 10)}`, {}, 65_536).fault).toMatchObject({
    code: 'row_too_long',
    line: 2,
  })
  expect(read(`a\n${','.repeat(10_000)}\n`).fault).toMatchObject({
    code: 'too_many_columns',
    line: 2,
    column: csvLimits.columns + 1,
  })
})

test('line ends may differ within a file', () => {
  expect(read('a,b\r\nc,d\ne,f\rg,"h\n"\r\n')).toMatchObject({
    rows: [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
      ['g', 'h\n'],
    ],
    lines: [1, 2, 3, 4],
  })
})
