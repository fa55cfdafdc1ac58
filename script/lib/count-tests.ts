/**
 * Prints how many tests the reports of Vitest and Playwright tell of, as `N passed, N failed`, with `, N skipped` when there
 * are any. Exits 1 when one failed or none ran. With --failed a stage has failed: when no test says why, that counts as one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'

const { values: options, positionals: files } = parseArgs({
  options: { failed: { type: 'boolean', default: false } },
  allowPositionals: true,
})

type Counts = { passed: number; failed: number; skipped: number }

const vitestReport = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numPendingTests: z.number(),
    numTodoTests: z.number(),
    testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
  })
  .transform((report): Counts => {
    // A file that could not even be loaded holds no failed test, yet it failed.
    const brokenFiles = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    )
    return {
      passed: report.numPassedTests,
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
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
    }),
  )

const report = z.union([vitestReport, playwrightReport])

const total = files
  .filter((file) => existsSync(file))
  .map((file) => report.parse(JSON.parse(readFileSync(file, 'utf8'))))
  .reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), {
    passed: 0,
    failed: 0,
    skipped: 0,
  })

const failed = options.failed ? Math.max(total.failed, 1) : total.failed
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`${total.passed} passed, ${failed} failed${skipped}`)
process.exitCode = failed > 0 || total.passed === 0 ? 1 : 0
