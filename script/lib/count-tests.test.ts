import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prospect-count-'))
})
afterEach(() => rm(folder, { recursive: true }))

const vitest = (over: object = {}) => ({
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
  ...over,
})
const playwright = (over: object = {}) => ({ stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0, ...over } })

async function count(reports: object[], ...flags: string[]) {
  const files = reports.map((_, index) => join(folder, `${index}.json`))
  for (const [index, file] of files.entries()) await writeFile(file, JSON.stringify(reports[index]))
  const missing = join(folder, 'never-written.json')
  const { stdout, status } = spawnSync(process.execPath, ['script/lib/count-tests.ts', ...flags, ...files, missing], {
    encoding: 'utf8',
  })
  return { line: stdout.trimEnd(), status }
}

test('the tests of both runners are added up', async () => {
  expect(await count([vitest(), playwright()])).toEqual({ line: '10 passed, 0 failed', status: 0 })
})

test('skipped tests are counted', async () => {
  const reports = [vitest({ numPendingTests: 1, numTodoTests: 1 }), playwright({ skipped: 2 })]
  expect(await count(reports)).toEqual({ line: '10 passed, 0 failed, 4 skipped', status: 0 })
})

test('failed tests fail the run', async () => {
  const reports = [vitest({ numFailedTests: 1 }), playwright({ unexpected: 1 })]
  expect(await count(reports)).toEqual({ line: '10 passed, 2 failed', status: 1 })
})

test('a test that passed only on retry is reported', async () => {
  const line = 'Of those that passed, only at the second try: 2\n12 passed, 0 failed'
  expect(await count([vitest(), playwright({ flaky: 2 })])).toEqual({ line, status: 0 })
})

test('a test file that could not be loaded counts as a failure', async () => {
  const reports = [vitest({ testResults: [{ status: 'failed', assertionResults: [] }] })]
  expect(await count(reports)).toEqual({ line: '7 passed, 1 failed', status: 1 })
})

test('a stage that failed outside any test counts as a failure', async () => {
  expect(await count([vitest()], '--failed')).toEqual({ line: '7 passed, 1 failed', status: 1 })
})

test('a run without tests is not a success', async () => {
  expect(await count([])).toEqual({ line: '0 passed, 0 failed', status: 1 })
})
