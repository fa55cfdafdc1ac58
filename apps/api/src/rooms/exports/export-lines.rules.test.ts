import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import { clearGate } from '../../../test/clear-gate.ts'
import { isFormula, isGuarded, withGuard, withoutGuard } from '../../lib/formula-guard.ts'
import { analyseFile } from '../sources/csv/analyse-file.ts'
import { csvHead, csvLine } from './export-lines.rules.ts'

/** Cells that begin with what a spreadsheet runs, with the guard, or with both; and quotes, commas and lines anywhere. */
const cell = fc
  .tuple(
    fc.stringMatching(/^'{0,3}$/),
    fc.constantFrom('', '=', '+', '-', '@', '\t', '\r', '\n', '＝', '+27 82 123 4567', '-12.5', 'x'),
    fc.stringMatching(/^[a-zé =+@'",;|0-9\t\r\n🦓]{0,8}$/u),
  )
  .map((parts) => parts.join(''))

test('a guarded cell is no formula, and without its guard it is what it was', () => {
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

test('whatever an export writes as CSV, the preview of this product finds out how and reads back exactly', async () => {
  const t = await buildTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'export-lines-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'export.csv')
  const request = { path, tenantId: t.tenants.home.id, chosen: {}, mapping: [], phoneRegion: null }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), async (rows) => {
      writeFileSync(path, csvHead(['id', 'name', 'more']) + rows.map(csvLine).join(''))
      const { firstRows, fault, dialect } = await analyseFile(t.store.reader, clearGate, {
        ...request,
        chosen: { hasHeader: true },
        isCancelled: () => false,
        progress: () => {},
      })
      expect([dialect.encoding, dialect.hasByteOrderMark, fault]).toEqual(['utf-8', true, null])
      expect([dialect.delimiter, dialect.quote]).toEqual([',', '"'])
      expect(firstRows.map(({ cells }) => cells)).toEqual(rows)
    }),
    { numRuns: 50 },
  )
})
