/**
 * Counts the tests in the reports of Vitest and Playwright and prints `N passed, N failed`, with `, N skipped` if there are any. A line before it
 * states how many passed only on retry. Exits with 1 if a test failed or none ran. `--failed` states that a stage has failed; it counts as one
 * failure if no test failed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'

const { values: options, positionals: files } = parseArgs({
  options: { failed: { type: 'boolean', default: false } },
  allowPositionals: true,
})

/** Numbers of tests. `late`: passed tests that needed a retry. */
type Counts = { passed: number; late: number; failed: number; skipped: number }

const vitestReport = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numPendingTests: z.number(),
    numTodoTests: z.number(),
    testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
  })
  .transform((report): Counts => {
    // A file that could not be loaded contains no failed test but counts as a failure.
    const brokenFiles = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    )
    return {
      passed: report.numPassedTests,
      late: 0,
      failed: report.numFailedTests + brokenFiles.length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  })

const playwrightReport = z
  .object({
    stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  })
  .transform(
    ({ stats }): Counts => ({
      passed: stats.expected + stats.flaky,
      late: stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }),
  )

const report = z.union([vitestReport, playwrightReport])

const counts = files
  .filter((file) => existsSync(file))
  .map((file) => report.parse(JSON.parse(readFileSync(file, 'utf8'))))

const sum = (of: keyof Counts) => counts.reduce((total, one) => total + one[of], 0)
const passed = sum('passed')
const failed = options.failed ? Math.max(sum('failed'), 1) : sum('failed')
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
if (sum('late') > 0) console.log(`Of those that passed, only at the second try: ${sum('late')}`)
console.log(`${passed} passed, ${failed} failed${skipped}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
