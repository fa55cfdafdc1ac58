import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import { clearGate } from '../../../test/clear-gate.ts'
import { isFormula, isGuarded, withGuard, withoutGuard } from '../../lib/formula-guard.ts'
import { analyseFile } from '../csv-preview/csv/analyse-file.ts'
import { readFrom } from '../csv-preview/csv/read-at.ts'
import { readWindow } from '../csv-preview/csv/read-window.ts'
import { csvFormat, csvHead, csvLine } from './csv-format.rules.ts'

/** White space, and characters that no font draws: U+FEFF, U+200B, a soft hyphen, the Hangul filler, a tag of plane 14. */
const blanks = [' ', '\t', '\u00a0', '\u2003', '\ufeff', '\u200b', '\u00ad', '\u3164', '\u{e0020}']

/**
 * Generates cells that begin with a character that a spreadsheet evaluates, after blanks or the guard, with quotes, commas and line ends anywhere.
 */
const cell = fc
  .tuple(
    fc.stringMatching(/^'{0,3}$/),
    fc.array(fc.constantFrom(...blanks), { maxLength: 2 }).map((parts) => parts.join('')),
    fc.constantFrom('', '=', '+', '-', '@', '\t', '\r', '\n', '＝', '+27 82 123 4567', '-12.5', 'x'),
    fc.stringMatching(/^[a-zé =+@'",;|0-9\t\r\n🦓]{0,8}$/u),
  )
  .map((parts) => parts.join(''))

test('a guarded cell is no formula, and removing its guard restores the original', () => {
  fc.assert(
    fc.property(cell, (value) => {
      const guarded = withGuard(value)
      expect(isFormula(guarded)).toBe(false)
      expect(isGuarded(guarded) ? withoutGuard(guarded) : guarded).toBe(value)
    }),
  )
  expect(['=1+1', "'=1+1", "''-x", "'t is so", '+27 82 123 4567', "'+27"].map(withGuard)).toEqual([
    "'=1+1",
    "''=1+1",
    "'''-x",
    "'t is so",
    '+27 82 123 4567',
    "''+27",
  ])
})

test.each(blanks)(
  'a sign after %j is detected: the guard precedes all of it, and the original is restored',
  (blank) => {
    for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
      for (const original of [`${blank}${sign}cmd|' /C calc'!A0`, `${blank}${blank}${sign}A1`]) {
        expect(withGuard(original)).toBe(`'${original}`)
        expect(isGuarded(`'${original}`)).toBe(true)
        expect(withGuard(`'${original}`)).toBe(`''${original}`)
        expect(withoutGuard(withGuard(original))).toBe(original)
      }
    }
    expect(withGuard(`x${blank}=1`)).toBe(`x${blank}=1`)
  },
)

test('a phone or a number after a blank is no formula', () => {
  for (const original of [' +27 82 123 4567', '\u200b-12.5', '\u00a0+1'])
    expect([isFormula(original), withGuard(original)]).toEqual([false, original])
})

const excel = csvFormat({ separator: 'semicolon', decimal: 'comma', timeZone: 'Africa/Johannesburg' })

test('a spreadsheet changes no cell: numbers have its decimal sign, times are local, and phones and codes stay text', () => {
  expect(csvLine(['a;b', 2.5, -3, null, '0001', '=1+1', '12E5', '2015/123456/07'], excel)).toBe(
    `"a;b";"2,5";"-3";"";"'0001";"'=1+1";"'12E5";"2015/123456/07"\r\n`,
  )
  expect(excel.time('2026-11-28T22:21:09.123Z')).toBe('2026-11-29 00:21')
  expect(excel.phone('0825551018', 'ZA')).toBe('(+27) 82 555 1018')
  expect(excel.phone('+27 21 555 0148', null)).toBe('(+27) 21 555 0148')
  expect(csvLine([excel.phone('0825551018', null), excel.phone('+999', null)], excel)).toBe(`"'0825551018";"'+999"\r\n`)
})

test.each([
  [',', csvFormat(null)],
  [';', excel],
] as const)(
  'the CSV preview detects the dialect of every export with %s and reads back exactly the exported values',
  async (separator, format) => {
    const t = await buildTestApp()
    const folder = mkdtempSync(join(tmpdir(), 'export-lines-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'export.csv')
    const request = { path, tenantId: t.tenants.home.id, chosen: {}, mapping: [], phoneRegion: null }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), async (rows) => {
        writeFileSync(path, csvHead(['id', 'name', 'more'], format) + rows.map((row) => csvLine(row, format)).join(''))
        const analysis = await analyseFile(t.store.reader, clearGate, {
          ...request,
          chosen: { hasHeader: true },
          isCancelled: () => false,
          progress: () => {},
        })
        const { fault, dialect, index, totals } = analysis
        const fd = openSync(path, 'r')
        const read = await readWindow(t.store.reader, clearGate, readFrom(fd), {
          ...request,
          form: analysis,
          index,
          rows: totals.rows,
          show: 'all',
          after: 0,
          limit: 100,
        })
        closeSync(fd)
        expect([dialect.encoding, dialect.hasByteOrderMark, fault]).toEqual(['utf-8', true, null])
        expect([dialect.delimiter, dialect.quote]).toEqual([separator, '"'])
        expect(read.map(({ cells }) => cells)).toEqual(rows)
      }),
      {
        numRuns: 50,
        examples: [
          [[['\n,,\n', '', '']]],
          [
            [
              ['\r|||\n', '', ''],
              ['', '', ''],
            ],
          ],
        ],
      },
    )
  },
)

test.each([
  '1-3',
  '12/5',
  '1 - 3',
  '1/2/2026',
  '2026/11/30',
  '1.5.2026',
  'MAR1',
  'mar-26',
  'March 2026',
  '1 Mar',
  '1MRT',
  '3 Desember 2026',
  'Nov 3, 2026',
  '1E5',
  '9:30',
  '1 pm',
  '1 1/2',
  ' 12/5 ',
])('the text %j, which a spreadsheet would change, gets a guard in its layout only', (text) => {
  expect(csvLine([text], excel)).toBe(`"'${text}"\r\n`)
  expect(csvLine([text], csvFormat(null))).toBe(`"${text}"\r\n`)
})

test.each([
  '2026-11-28',
  '2026-11-28 17:21',
  '12/5 Long Street',
  'Marble 1 Works',
  'March',
  'Mayfair 12 Deli',
  '24-7 Plumbers',
  '1.5',
  '12',
  'Suite 1-3',
])('the text %j, which a spreadsheet shows as it is, gets no guard', (text) => {
  expect(csvLine([text], excel)).toBe(`"${text}"\r\n`)
})
