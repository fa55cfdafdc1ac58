import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { clearGate } from '../../../../test/clear-gate.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { AnalysisCancelled, analyseFile } from '../csv/analyse-file.ts'
import type { Analysis, AnalysisRequest, CsvRow } from '../csv/analysis.ts'
import { type Encoding, encodings } from '../csv/dialect.ts'
import { createDuplicateFinder } from '../csv/duplicates-in-file.ts'
import { mix } from '../csv/hash.ts'
import { packContent, readHeld } from '../csv/held-content.ts'
import type { ReadAt } from '../csv/read-at.ts'
import { readWindow } from '../csv/read-window.ts'
import { createSuppressionCheck, type SuppressionCheck } from '../csv/suppressed-values.ts'

const marks: Partial<Record<Encoding, number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
}

function encoded(text: string, encoding: Encoding, withMark: boolean): Buffer {
  const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : encoding === 'windows-1252' ? 'latin1' : 'utf16le')
  const mark = Buffer.from(withMark ? (marks[encoding] ?? []) : [])
  return Buffer.concat([mark, encoding === 'utf-16be' ? bytes.swap16() : bytes])
}

/** Reads from bytes in memory. */
const readBytes =
  (bytes: Buffer): ReadAt =>
  (buffer, position) =>
    bytes.copy(buffer, 0, position, position + buffer.length)

async function analyse(
  t: TestApp,
  file: Buffer | string,
  asked: Partial<AnalysisRequest> = {},
  isCancelled = () => false,
  suppression: SuppressionCheck = clearGate,
): Promise<Analysis & { firstRows: CsvRow[]; flaggedRows: CsvRow[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'csv-analysis-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'upload.csv')
  writeFileSync(path, file)
  const request = { path, tenantId: t.tenants.home.id, chosen: {}, mapping: undefined, phoneRegion: null, ...asked }
  const analysis = await analyseFile(t.store.reader, suppression, {
    ...request,
    isCancelled,
    progress: () => {},
  })
  expect(readdirSync(folder)).toEqual(['upload.csv'])
  const rows = await rowsOf(t, suppression, Buffer.from(file), analysis, request)
  return { ...analysis, ...rows }
}

/** Reads the rows of a file again, in windows of several sizes. */
async function rowsOf(
  t: TestApp,
  suppression: SuppressionCheck,
  file: Buffer,
  analysis: Analysis,
  { tenantId, phoneRegion }: Pick<AnalysisRequest, 'tenantId' | 'phoneRegion'>,
): Promise<{ firstRows: CsvRow[]; flaggedRows: CsvRow[] }> {
  const read = readHeld(packContent(readBytes(file), file.length + 100))
  const about = { tenantId, phoneRegion, form: analysis, index: analysis.index, rows: analysis.totals.rows }
  const all = async (show: 'all' | 'flagged') => {
    const found: CsvRow[] = []
    for (const limit of [1, 2, 500]) {
      const after = found.at(-1)?.row ?? 0
      found.push(...(await readWindow(t.store.reader, suppression, read, { ...about, show, after, limit })))
    }
    return found
  }
  return { firstRows: await all('all'), flaggedRows: await all('flagged') }
}

describe('the encoding', () => {
  const text = 'Naam,Dorp\nKafée Über,Prieska\nRooi Môre,Sutherland\n'
  test.for([
    ['utf-8', true, null],
    ['utf-8', false, null],
    ['utf-16le', true, null],
    ['utf-16be', true, null],
    ['utf-16le', false, /guessed/],
    ['utf-16be', false, /guessed/],
    ['windows-1252', false, /Line 2 is not UTF-8/],
  ] as const)(
    '%s, with a byte order mark: %s, is found, and uncertain results report a doubt',
    async ([encoding, withMark, doubt]) => {
      const t = await buildTestApp()
      const { dialect, doubts, firstRows } = await analyse(t, encoded(text, encoding, withMark))
      expect(dialect).toMatchObject({ encoding, hasByteOrderMark: withMark })
      if (doubt === null) expect(doubts.encoding).toBeNull()
      else expect(doubts.encoding).toMatch(doubt)
      expect(firstRows.map(({ cells }) => cells)).toEqual([
        ['Kafée Über', 'Prieska'],
        ['Rooi Môre', 'Sutherland'],
      ])
    },
  )
})

test('a correctly written table is read back exactly in every encoding', async () => {
  const t = await buildTestApp()
  // Generates letters of Windows-1252, which every encoding can represent. Formulas and guards are excluded, because they are read differently.
  const cell = fc.stringMatching(/^[a-zéüôß0-9 ,;"\n]{1,10}$/)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...encodings),
      fc.constantFrom(',', ';', '\t', '|'),
      async (rows, encoding, delimiter) => {
        const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n')
        const chosen = { encoding, delimiter, quote: '"', hasHeader: false } as const
        const { firstRows, fault } = await analyse(t, encoded(text, encoding, true), { chosen, mapping: [] })
        expect([firstRows.map(({ cells }) => cells), fault]).toEqual([rows, null])
      },
    ),
    { numRuns: 60 },
  )
})

describe('a file that is none, or ends early,', () => {
  test.for<[string, Buffer | string, Record<string, unknown>]>([
    ['is empty', '', { code: 'empty_file', line: 1 }],
    ['holds nothing but a byte order mark', '\uFEFF', { code: 'empty_file', line: 1 }],
    [
      'is UTF-16 and ends in the middle of a character',
      Buffer.concat([encoded('name,b\nx,y\n', 'utf-16le', true), Buffer.from('A')]),
      { code: 'wrong_encoding', line: 3, character: 1 },
    ],
    ['is a workbook', Buffer.from('PK\u0003\u0004rest'), { code: 'spreadsheet_file', line: 1 }],
    ['is a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2]), { code: 'not_text' }],
    ['holds a NUL byte', 'name,b\nx,y\nz,\0\n', { code: 'nul_byte', line: 3, character: 3 }],
    ['has ten thousand columns', `a,b\n${','.repeat(9_999)}\n`, { code: 'too_many_columns', line: 2, column: 1_001 }],
    ['is one line of three megabytes', `name\n${'x'.repeat(3_000_000)}`, { code: 'row_too_long', line: 2 }],
  ])('because it %s, reports the position and keeps the rows before it', async ([, file, fault]) => {
    const t = await buildTestApp()
    const analysis = await analyse(t, file)
    expect(analysis.fault).toMatchObject(fault)
    expect(analysis.fault?.message).toMatch(/\.$/)
  })

  test('because it is not in the chosen encoding, reports the character', async () => {
    const t = await buildTestApp()
    const { fault, totals } = await analyse(t, encoded('name,b\nx,y\nzé,1\n', 'windows-1252', false), {
      chosen: { encoding: 'utf-8' },
    })
    expect([fault, totals.rows]).toMatchObject([{ code: 'wrong_encoding', line: 3, character: 2 }, 1])
  })
})

test('with mixed line ends is read and reported', async () => {
  const t = await buildTestApp()
  const { dialect, totals, firstRows, fault } = await analyse(t, 'name,b\r\nx,"1\n2"\ny,2\rz,3\r\n')
  expect([dialect.lineEnds, totals.rows, fault]).toEqual(['mixed', 3, null])
  expect(firstRows.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [2, 'x'],
    [4, 'y'],
    [5, 'z'],
  ])
})

test.for([
  ['sep=;', ';', {}],
  ['sep=|', '|', {}],
  ['"sep=;"', ';', {}],
  ['SEP=;', ',', { delimiter: ',' }],
] as const)(
  'a first line %s names the delimiter and is no row, and rows keep the lines of the file',
  async ([first, delimiter, chosen]) => {
    const t = await buildTestApp()
    const text = `${first}\r\nname${delimiter}city\r\nKaroo, Bakery${delimiter}Prieska\r\n`
    const { dialect, columns, totals, firstRows } = await analyse(t, `\uFEFF${text}`, { chosen })
    expect(dialect).toMatchObject({ delimiter, hasDelimiterLine: true, headerLine: 2 })
    expect(columns.map(({ name }) => name)).toEqual(['name', 'city'])
    expect([totals.rows, firstRows[0]?.line]).toEqual([1, 3])
  },
)

describe('a file with malformed lines', () => {
  const text = [
    'Name,Town,Phone',
    '"Karoo"Grill,Paarl,082 555 0001',
    'Sunrise,"Upington",',
    '',
    'Pipe 6\'5",Paarl,021 555 0002',
    '"Table, round",Paarl,',
    'Open,"Paarl,',
    'Last,Prieska,',
  ].join('\n')

  test('has each line read or named, and offers to read it without quotes', async () => {
    const t = await buildTestApp()
    const { totals, malformed, fault, firstRows, doubts } = await analyse(t, text, { phoneRegion: 'ZA' })
    expect([fault, totals.rows, totals.malformedRows, totals.blankLines]).toEqual([null, 3, 3, 1])
    expect(firstRows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [3, 'Sunrise'],
      [6, 'Table, round'],
      [8, 'Last'],
    ])
    expect(malformed).toMatchObject([
      { line: 2, column: 1, code: 'text_after_quote', text: '"Karoo"Grill,Paarl,082 555 0001', doNotContact: false },
      { line: 5, column: 1, code: 'quote_inside_cell' },
      { line: 7, column: 2, code: 'quote_not_closed', text: 'Open,"Paarl,' },
    ])
    expect(doubts.quote).toBe(
      '3 lines have a quote that is not a CSV quote, such as the sign for inches. If quotes are read as text, every line is read as written.',
    )
    const again = await analyse(t, text, { chosen: { quote: null } })
    expect([again.totals.rows, again.totals.malformedRows, again.doubts.quote]).toEqual([6, 0, null])
    expect(again.firstRows[2]?.cells[0]).toBe('Pipe 6\'5"')
  })

  test('has the malformed lines checked for do not contact, and reports them as unknown if that fails', async () => {
    const t = await buildTestApp()
    const stopped: SuppressionCheck = {
      ...clearGate,
      mayMatch: () => true,
      suppressed: async (cells) =>
        new Set(cells.flatMap(({ value, kind }, at) => (value.includes('0001') && kind === 'phone' ? [at] : []))),
    }
    const marks = async (check: SuppressionCheck) =>
      (await analyse(t, text, {}, undefined, check)).malformed.map(({ doNotContact }) => doNotContact)
    expect(await marks(stopped)).toEqual([true, false, false])
    const failing = { ...clearGate, suppressed: () => Promise.reject(new Error('no store')) }
    expect(await marks(failing)).toEqual([null, null, null])
  })
})

test('rows before the header are counted, and any of the first lines can be the header', async () => {
  const t = await buildTestApp()
  const text = 'Notes:\n"When exporting, you may notice\nthat some are missing."\n\nName,Email\nKaroo,a@karoo.co.za\n'
  const found = await analyse(t, text)
  expect([found.dialect.headerLine, found.totals.rows, found.totals.rowsBeforeHeader]).toEqual([5, 1, 2])
  expect(found.columns.map(({ field }) => field)).toEqual(['name', 'email'])
  expect(found.doubts.header).toBe('The column names are on line 5. Rows before it are not read.')
  expect(found.headerChoices).toEqual([
    { line: 1, text: 'Notes:' },
    { line: 2, text: 'When exporting, you may notice that some are missing.' },
    { line: 5, text: 'Name · Email' },
    { line: 6, text: 'Karoo · a@karoo.co.za' },
  ])
  const last = await analyse(t, text, { chosen: { headerLine: 6 } })
  expect([last.columns.map(({ name }) => name), last.totals.rows]).toEqual([['Karoo', 'a@karoo.co.za'], 0])
  const none = await analyse(t, text, { chosen: { hasHeader: false } })
  expect([none.dialect.headerLine, none.totals.rows, none.totals.rowsBeforeHeader]).toEqual([null, 4, 0])
})

test('rows with pages at one shared host have no domain in common', async () => {
  const t = await buildTestApp()
  const text = 'name,website\nA,https://www.facebook.com/alpha\nB,facebook.com/beta\nC,karoo.co.za\nD,www.karoo.co.za\n'
  const { firstRows, totals } = await analyse(t, text, { mapping: ['name', 'domain'] })
  expect(totals.duplicateRows).toBe(2)
  expect(firstRows.map(({ duplicates }) => duplicates.length)).toEqual([0, 0, 1, 1])
})

test('each value of a cell with several is compared with other rows and with the do-not-contact list', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { name: 'Known', phones: [{ value: '+27825558826' }] })
  const entry = { kind: 'phone', value: '+27215556601', reason: 'objection', channel: 'email' }
  expect((await operator.post('/suppressions', entry)).status).toBe(201)
  const text = 'name,phone\nA,021 555 6601; 082 555 8826 (Jan)\nB,Office 082 555 8826\nC,021 555 0000 ext. 4\n'
  const suppression = createSuppressionCheck(t.store.reader, { dataDir: t.store.dataDir, tenantId: t.tenants.home.id })
  const { firstRows, totals } = await analyse(t, text, { phoneRegion: 'ZA' }, undefined, suppression)
  expect(totals).toMatchObject({ rowsWithProblems: 0, duplicateRows: 2, matchingRows: 2, doNotContactRows: 1 })
  expect(firstRows.map(({ values }) => values.flatMap(({ texts }) => texts))).toEqual([
    ['021 555 6601', '082 555 8826'],
    ['082 555 8826'],
    [],
  ])
  expect(
    firstRows.map(({ doNotContact, matches }) => [doNotContact, matches.map(({ businessId }) => businessId)]),
  ).toEqual([
    [true, [id]],
    [false, [id]],
    [false, []],
  ])
})

test('a suppressed value in a cell behind the last column blocks its row', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  for (const entry of [
    { kind: 'phone', value: '+27215556601' },
    { kind: 'email', value: 'jan@karoo.co.za' },
  ])
    expect((await operator.post('/suppressions', { ...entry, reason: 'objection', channel: 'email' })).status).toBe(201)
  const text = 'name,phone\nA, Paarl,021 555 6601\nB,,write to jan@karoo.co.za\nC, Paarl,021 555 6602\nD,021 555 6602\n'
  const suppression = createSuppressionCheck(t.store.reader, { dataDir: t.store.dataDir, tenantId: t.tenants.home.id })
  const { firstRows } = await analyse(t, text, { phoneRegion: 'ZA' }, undefined, suppression)
  expect(firstRows.map(({ doNotContact, suppressed }) => [doNotContact, suppressed])).toEqual([
    [true, [2]],
    [true, [2]],
    [false, []],
    [false, []],
  ])
})

test('a row that the file marks as do not contact is blocked, and an unclear mark is unknown', async () => {
  const t = await buildTestApp()
  const text =
    'name,email,Do not contact,Opt out\nA,a@a.co.za,ja,\nB,b@b.co.za,nee,x\nC,c@c.co.za,,maybe\nD,d@d.co.za,no,\n'
  const { firstRows, totals } = await analyse(t, text)
  expect(firstRows.map(({ said, doNotContact }) => [said, doNotContact])).toEqual([
    ['yes', true],
    ['yes', true],
    ['unclear', null],
    ['no', false],
  ])
  expect(totals).toMatchObject({ doNotContactRows: 2, unknownRows: 0, rowsWithProblems: 1 })
})

test.for(encodings)(
  'characters, quotes and line ends of %s may be split between two pieces of a file',
  async (encoding) => {
    const t = await buildTestApp()
    // The rows differ in length and together fill many pieces of text.
    const rows = Array.from({ length: 450 }, (_, n) => ['é"ü\r\n'.repeat(100 + (n % 7)), `${n}`])
    const text = rows.map(([cell, n]) => `"${cell?.replaceAll('"', '""')}",${n}\r\n`).join('')
    const chosen = { encoding, hasHeader: false }
    const { firstRows, fault, totals } = await analyse(t, encoded(text, encoding, false), { chosen, mapping: [] })
    expect([fault, totals.malformedRows]).toEqual([null, 0])
    expect(firstRows.map(({ cells }) => cells)).toEqual(rows)
  },
)

test('with only a header, or only one column, is read like any other', async () => {
  const t = await buildTestApp()
  expect(await analyse(t, 'name,email')).toMatchObject({
    totals: { rows: 0 },
    fault: null,
    columns: [{ name: 'name' }, {}],
  })
  expect(await analyse(t, 'email\na@karoo.co.za\n')).toMatchObject({
    totals: { rows: 1 },
    fault: null,
    columns: [{ field: 'email' }],
  })
})

test('that is cancelled stops', async () => {
  const t = await buildTestApp()
  await expect(analyse(t, 'a,b\n', {}, () => true)).rejects.toThrow(AnalysisCancelled)
})

test.for(['prepare', 'suppressed'] as const)(
  'a gate that cannot answer (%s) leaves rows with contact values unknown, not clean, and is not called again',
  async (question) => {
    const t = await buildTestApp()
    let asked = 0
    const broken = async () => {
      asked += 1
      throw new Error('The store is busy.')
    }
    const row = `${'A'.repeat(300)},a@karoo.co.za\nB,\n`
    // The number of rows makes the file longer than one piece of text, because suppression is checked per piece.
    const rows = 1_000
    const { totals, firstRows } = await analyse(t, `name,email\n${row.repeat(rows)}`, {}, undefined, {
      ...clearGate,
      mayMatch: () => true,
      [question]: broken,
    })
    expect(totals).toMatchObject({ rows: 2 * rows, doNotContactRows: 0, unknownRows: rows })
    if (question === 'suppressed')
      expect(firstRows.slice(0, 2).map(({ doNotContact }) => doNotContact)).toEqual([null, false])
    // Once for the analysis, and for the six windows once each; a window asks without a preparation.
    expect(asked).toBe(question === 'suppressed' ? 7 : 1)
  },
)

describe('rows that share a value', () => {
  test('name each other at any distance', async () => {
    const t = await buildTestApp()
    const { firstRows, flaggedRows } = await analyse(
      t,
      'name,email\nA,a@karoo.co.za\nB,b@karoo.co.za\nC,A@karoo.co.za\n',
    )
    const other = (row: number) => [{ kind: 'email', column: 1, row }]
    expect(firstRows.map(({ duplicates }) => duplicates)).toEqual([other(3), [], other(1)])
    expect(flaggedRows.map(({ row }) => row)).toEqual([1, 3])
  })

  test('differ by their pages on a host where anybody can have a page', async () => {
    const t = await buildTestApp()
    const pages = ['facebook.com/alpha', 'https://www.facebook.com/beta', 'https://m.facebook.com/Alpha/?ref=page']
    const rows = [...pages, 'facebook.com', 'facebook.com', 'gmail.com', 'gmail.com'].map(
      (page, at) => `R${at},${page}`,
    )
    const { firstRows } = await analyse(t, `name,website\n${rows.join('\n')}\n`, { mapping: ['name', 'domain'] })
    const other = (row: number) => [{ kind: 'domain', column: 1, row }]
    expect(firstRows.map(({ duplicates }) => duplicates)).toEqual([other(3), [], other(1), [], [], [], []])
  })

  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'csv-duplicates-'))
    return () => rmSync(folder, { recursive: true, force: true })
  })

  test('have equal counts when compared in memory or in parts on disk, and the parts are deleted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 200 }),
        fc.constantFrom(0, 5, 1_000),
        (values, remembered) => {
          const path = join(folder, 'parts')
          const finder = createDuplicateFinder({ path, fileBytes: 1_000_000, remembered })
          for (const [at, value] of values.entries()) finder.note(mix('email', `value ${value}`), at + 1)
          const shared = values.filter((value, at) => values.some((other, place) => other === value && place !== at))
          expect(finder.finish()).toBe(shared.length)
          expect(existsSync(path)).toBe(false)
        },
      ),
      { numRuns: 200 },
    )
  })
})
