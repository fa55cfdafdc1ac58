import { type Config, readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { type Finding, probe, type Severity, severities, worstOf } from '../rooms/health/health.ts'
import { migrations } from '../rooms/migrations.ts'
import { readBackupPlaces } from './backup-config.ts'
import { addressOf, type Command, dataDirEnvironment, print, readOptions } from './command.ts'

const notProven =
  'Not proven by this probe: that a backup can be opened and restored (restore-drill, on a machine with a secret key), that the whole audit chain is intact (audit verify, with --manifest also that its end was not cut off), that the clock is right, that anything outside this host works.'

export const probeCommand: Command = {
  name: 'probe',
  options: '[--api-url <url>] [--web-url <url>] [--without-records] [--json]',
  does: 'checks the state of the installation, for a person or for monitoring: health, space, last backup, copies off this host and last drill, audit checkpoints, keys of company sign-in, clock, and whether records agree with suppressions, events and counts, which takes half a minute per million. Changes nothing. Exits with 0 for ok, 1 for a warning, 2 for critical, 3 for unknown',
  run: async (args) => {
    const options = readOptions(args, {
      'api-url': { type: 'string', default: addressOf(process.env.API_HOST, process.env.API_PORT, '8000') },
      'web-url': { type: 'string', default: addressOf(process.env.WEB_HOST, process.env.WEB_PORT, '8080') },
      'without-records': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    })
    const [apiUrl, webUrl, withRecords] = [options['api-url'], options['web-url'], !options['without-records']]
    const findings = await probe(
      { ...readBackupPlaces(), companySignIn: companySignIn(), migrations, apiUrl, webUrl, withRecords },
      systemClock,
    )
    const worst = worstOf(findings)
    if (options.json) print(JSON.stringify({ standing: worst, findings, notProven }, null, 2))
    else for (const line of linesOf(findings, worst)) print(line)
    return severities.indexOf(worst)
  },
}

/** Returns the settings of company sign-in. Other settings are not read, because the probe must also run where they are wrong or missing. */
function companySignIn(): Config['companySignIn'] {
  const ofProvider = Object.entries(process.env).filter(([name]) => name.startsWith('OIDC_'))
  return readConfig({ ...dataDirEnvironment(), ...Object.fromEntries(ofProvider) }).companySignIn
}

function linesOf(findings: readonly Finding[], worst: Severity): string[] {
  const lines = findings.map(({ check, standing, found }) => `${standing.padEnd(8)}  ${check}: ${found}`)
  return [...lines, `Overall: ${worst}.`, notProven]
}
