import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/template-store.ts'
import { schemaFaults, writeReport } from './write-report.ts'

/** The smallest report that the specification permits. */
const least = {
  report: 'phase17-final-acceptance',
  version: 1,
  scope: 'local-repository-acceptance',
  passed: false,
  checks: { anything: { more: true } },
  capacity_smoke: {},
  blockers: [{ gate: 'a', status: 'b', reason: 'c' }],
  limitations: ['One.'],
}

test('the schema accepts the smallest report that the specification permits', () => {
  expect(schemaFaults(least)).toBeNull()
  expect(schemaFaults({ ...least, blockers: [], limitations: [] })).toBeNull()
})

test.each(Object.keys(least))('the schema requires %s', (field) => {
  expect(schemaFaults(Object.fromEntries(Object.entries(least).filter(([name]) => name !== field)))).toContain(field)
})

test.each([
  { report: 'another' },
  { version: 2 },
  { version: '1' },
  { scope: 'production' },
  { passed: 'true' },
  { checks: [] },
  { capacity_smoke: null },
  { blockers: [{ gate: 'a', status: 'b' }] },
  { blockers: [{ gate: 'a', status: 'b', reason: 3 }] },
  { limitations: [3] },
])('the schema refuses %j', (change) => {
  expect(schemaFaults({ ...least, ...change })).not.toBeNull()
})

test('a report replaces the former one as a whole', () => {
  const folder = join(temporaryFolder(), 'acceptance')
  const file = join(folder, 'report.json')
  writeReport(file, least)
  writeReport(file, { ...least, passed: true })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...least, passed: true })
  expect(readdirSync(folder)).toEqual(['report.json'])
})

test('an invalid report is not written', () => {
  const file = join(temporaryFolder(), 'report.json')
  expect(() => writeReport(file, { ...least, passed: undefined })).toThrow(/passed/)
  expect(existsSync(file)).toBe(false)
})
