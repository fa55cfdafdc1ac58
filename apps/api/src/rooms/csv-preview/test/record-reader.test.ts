import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvFault, csvLimits, delimiters, type Fault, type Quote, quotes } from '../csv/dialect.ts'
import { createRecordReader, type RecordSink } from '../csv/record-reader.ts'

type Read = {
  rows: string[][]
  lines: number[]
  malformed: Parameters<RecordSink['malformed']>[0][]
  blank: number[]
  fault: Fault | null
  lineEnds: unknown
}

function read(
  text: string,
  dialect: { delimiter?: (typeof delimiters)[number]; quote?: Quote | null; width?: number } = {},
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

function lineEndsIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0
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
          line += 1 + row.reduce((sum, one) => sum + lineEndsIn(one), 0)
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

test('any text is read the same regardless of its pieces, and every line is a row, part of a row, malformed or blank', () => {
  const wild = fc.oneof(fc.string(), fc.stringMatching(/^[ab,"\r\n]{0,40}$/), fc.stringMatching(/^["\n]{0,20}$/))
  fc.assert(
    fc.property(wild, fc.integer({ min: 1, max: 10 }), (text, piece) => {
      const whole = read(text)
      expect(read(text, {}, piece)).toEqual(whole)
      const lines = [
        ...whole.rows.flatMap((cells, at) => {
          const more = cells.reduce((sum, one) => sum + lineEndsIn(one), 0)
          return Array.from({ length: more + 1 }, (_, n) => (whole.lines[at] ?? 0) + n)
        }),
        ...whole.malformed.map(({ line }) => line),
        ...whole.blank,
      ].sort((a, b) => a - b)
      const count = lineEndsIn(text) + (text === '' || /[\r\n]$/.test(text) ? 0 : 1)
      expect([lines, whole.fault]).toEqual([Array.from({ length: count }, (_, n) => n + 1), null])
    }),
    { numRuns: 3_000 },
  )
})

describe('lines with a defect between correctly written rows', () => {
  /** Cells that do not begin or end with a delimiter or line end and have no quote, so that an unclosed quote before them has only one reading. */
  const plain = fc.stringMatching(/^[a-zé](?:[a-z ,\n]{0,8}[a-z])?$/)
  const rows = fc.array(fc.tuple(plain, plain, plain), { minLength: 1, maxLength: 10 })
  const defective = fc.constantFrom(
    '"Karoo"Grill,Paarl,1',
    'Karoo "Grill",Paarl,1',
    `Paarl,1,Pipe 6'5"x`,
    '"6" pipe",Paarl,1',
    '"Karoo" ,Paarl,1',
    '"Karoo Grill,Paarl,1',
    'Karoo Grill,"Paarl,1',
    '"a","b"c,"d',
  )

  test('are each reported with their line and text, and no other row changes', () => {
    fc.assert(
      fc.property(
        rows,
        fc.array(fc.tuple(defective, fc.nat(10)), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 60 }),
        (table, defects, quoteAll, piece) => {
          const records = table.map((row) => write([row], ',', '"', '\n', quoteAll))
          for (const [line, at] of defects) records.splice(at % (records.length + 1), 0, `${line}\n`)
          const answer = read(records.join(''), {}, piece)
          expect(answer.rows).toEqual(table)
          expect(answer.malformed.map(({ text }) => `${text}\n`)).toEqual(
            records.filter((record) => defects.some(([line]) => record === `${line}\n`)),
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('are told from a row over several lines by the number of cells', () => {
    const text = `a,b,c\nKaroo,"Paarl,1\nd,e,f\nPipe 6'5",Paarl,1\ng,"h\ni",j\n`
    expect(read(text, { width: 3 })).toMatchObject({
      rows: [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
        ['g', 'h\ni', 'j'],
      ],
      malformed: [
        { code: 'quote_not_closed', line: 2, column: 2 },
        { code: 'quote_inside_cell', line: 4, column: 1 },
      ],
    })
    // Without another number of cells, the quotes are correct, and the cell has several lines.
    expect(read('a,b\n"c,d\ne",f\n', { width: 2 })).toMatchObject({
      rows: [
        ['a', 'b'],
        ['c,d\ne', 'f'],
      ],
      malformed: [],
    })
  })

  test('keep their line and column', () => {
    const answer = read('a,b\nc,6" pizza\nd,e\n"x"y,z\n"q",1\nf,"g\nh,i\n')
    expect(answer.malformed).toEqual([
      { code: 'quote_inside_cell', line: 2, column: 2, text: 'c,6" pizza' },
      { code: 'text_after_quote', line: 4, column: 1, text: '"x"y,z' },
      { code: 'quote_not_closed', line: 6, column: 2, text: 'f,"g' },
    ])
    expect(answer.rows).toEqual([
      ['a', 'b'],
      ['d', 'e'],
      ['q', '1'],
      ['h', 'i'],
    ])
  })

  test('do not slow reading down: a defect on each line costs a bounded time', () => {
    const timed = (line: string) => {
      const at = performance.now()
      const { rows: read_, malformed } = read(line.repeat(20_000), {}, 65_536)
      expect(read_.length + malformed.length).toBe(20_000)
      return performance.now() - at
    }
    // An early version parsed a quarter of a megabyte for each line, which would take a minute here.
    expect(timed('"Karoo Grill,Paarl,021 555 0123\n')).toBeLessThan(15_000)
    expect(timed('Karoo 6" Grill,Paarl,021 555 0123\n')).toBeLessThan(15_000)
  })
})

test.for([
  ['at the end', 'a,b\nc,"d\ne,f\n', 3],
  ['in a long file', `a,b\nc,"d\n${'e,f\n'.repeat(400_000)}`, 400_002],
  ['among other quotes', `a,b\nc,"d\n${'"e","f"\n'.repeat(200_000)}`, 200_002],
  ['on the last line', 'a,b\nc,"d', 2],
] as const)('a quote that is never closed ends at its line: %s', ([, text, lines]) => {
  const { fault, malformed, rows } = read(text, {}, 65_536)
  expect([fault, rows.length]).toEqual([null, lines - 1])
  expect(malformed).toEqual([{ code: 'quote_not_closed', line: 2, column: 2, text: 'c,"d' }])
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
