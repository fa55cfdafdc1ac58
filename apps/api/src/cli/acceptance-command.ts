import { tmpdir } from 'node:os'
import { titleOf } from '../acceptance/gates.ts'
import { readConfig } from '../config.ts'
import { acceptanceReportFile } from '../rooms/health/health.ts'
import type { AcceptanceOptions } from './acceptance/run-acceptance.ts'
import { addressOf, type Command, dataDirEnvironment, print, readOptions, say, withStore } from './command.ts'

/** Exit code if every check passed but a required capability is not built. */
const BLOCKED = 3

export const acceptanceCommand: Command = {
  name: 'acceptance',
  options: '[--api-url <url>] [--web-url <url>] [--report <file>] [--scratch <folder>] [--phase <number>]',
  does: 'tests the running service from outside, phase by phase, and writes the final acceptance report to DATA_DIR/acceptance/report.json, or to the given file. With --phase, runs the checks of that phase alone and writes no report. Creates two tenants in the store of DATA_DIR and leaves them there; script/acceptance uses a separate store. Exits with 0 for passed, 1 for a failed check, 3 when only a capability is missing',
  run: async (args) => {
    const options = readOptions(args, {
      'api-url': { type: 'string', default: addressOf(process.env.API_HOST, process.env.API_PORT, '8000') },
      'web-url': { type: 'string', default: addressOf(process.env.WEB_HOST, process.env.WEB_PORT, '8080') },
      report: { type: 'string' },
      phase: { type: 'string' },
      scratch: { type: 'string', default: tmpdir() },
    })
    const { dataDir } = readConfig(dataDirEnvironment())
    // Import these here, because only this command needs the checks and the schema validator.
    const { runAcceptance, runPhase } = await import('./acceptance/run-acceptance.ts')
    const { writeReport } = await import('./acceptance/write-report.ts')
    const run: AcceptanceOptions = {
      apiUrl: options['api-url'],
      webUrl: options['web-url'],
      dataDir,
      scratch: options.scratch,
      withStore,
      onResult: (gate, { name, passed, found }) =>
        say(`${passed ? 'passed' : 'FAILED'}  ${titleOf(gate)}: ${name}. ${found}`),
    }
    if (options.phase !== undefined) {
      const results = await runPhase(Number(options.phase), run)
      return results.every(({ passed }) => passed) ? 0 : 1
    }
    const report = await runAcceptance(run)
    const file = options.report ?? acceptanceReportFile(dataDir)
    writeReport(file, report)
    for (const { gate, status, reason } of report.blockers) say(`blocker  ${gate} (${status}): ${reason}`)
    say(report.passed ? 'Passed.' : 'Not passed; the blockers give the reasons.')
    print(file)
    if (report.passed) return 0
    return report.blockers.some(({ status }) => status === 'failed') ? 1 : BLOCKED
  },
}
