import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, expectStatus, expectThat, find, listAt, numberAt, textAt } from './acceptance-client.ts'
import { type Gate, specifiedPhases, type World } from './gates.ts'

export const deployment: Gate = {
  id: 'phase_15',
  title: 'Portable production deployment',
  phase: 15,
  checks: [
    {
      name: 'health responds without a session, and readiness reads and writes the store',
      run: async ({ visitor, webUrl }) => {
        expectStatus(await visitor.get('/health/live'), 200, 'liveness')
        const ready = expectStatus(await visitor.get('/health/ready'), 200, 'readiness')
        expectThat(find(ready.body, 'checks.storeWrite') === 'ok', 'Readiness does not report a write.')
        const web = await fetch(`${webUrl}/healthz`)
        expectThat(web.status === 200, `The web app returns ${web.status} at /healthz.`)
        return 'Live, ready (store read and written) and the web app alive.'
      },
    },
    {
      name: 'pages have headers that forbid everything they do not need',
      run: async ({ webUrl }) => {
        const { status, headers } = await fetch(webUrl)
        expectThat(status === 200, `The web app returns ${status} at its front page.`)
        const policy = headers.get('content-security-policy') ?? ''
        expectThat(
          policy.includes("default-src 'none'") || policy.includes("default-src 'self'"),
          'No Content-Security-Policy is sent.',
        )
        return 'The front page is served, with a policy that loads nothing from other hosts.'
      },
    },
    {
      name: 'administrators can read version, image and configuration revision; others cannot',
      run: async ({ administrator, operator }) => {
        const { body } = expectStatus(await administrator.get('/health/detail'), 200, 'the deployment')
        expectStatus(await operator.get('/health/detail'), 403, 'the deployment for an operator')
        return `Version ${textAt(body, 'version')}, configuration ${textAt(body, 'configurationRevision')}, schema ${numberAt(body, 'schemaVersion')}.`
      },
    },
    {
      name: 'no adapter is loaded unless a file of adapters is set',
      run: async ({ administrator }) => {
        const { body } = expectStatus(await administrator.get('/health/detail'), 200, 'the deployment')
        const loaded = listAt(body, 'adapters.items').map((one) => textAt(one, 'id'))
        if (find(body, 'adapters.file') !== null)
          return `Loaded by the operator's file: ${loaded.join(', ') || 'none'}.`
        expectThat(loaded.length === 0, `Loaded without a file: ${loaded.join(', ')}.`)
        return 'No adapter is loaded, and no file of adapters is set.'
      },
    },
    {
      name: 'a backup is taken beside the running service, verified, opened and restored in a drill',
      run: backUpAndDrill,
    },
    {
      name: 'the chains and checkpoints verify from the command line',
      run: async ({ cli }) => {
        const { exitCode, stderr } = await cli(['audit', 'verify'])
        expectThat(exitCode === 0, `audit verify exited with ${exitCode}. ${stderr.trim()}`)
        return 'audit verify exited with 0.'
      },
    },
    {
      name: 'records agree with the active suppressions, the last events and the stored counts',
      run: async ({ cli }) => {
        const { exitCode, stdout, stderr } = await cli(['integrity', 'check'])
        const found = stdout.split('\n').find((line) => line.includes('\tdisagrees: ')) ?? stderr
        expectThat(exitCode === 0, `integrity check exited with ${exitCode}. ${found.trim()}`)
        return 'integrity check exited with 0.'
      },
    },
  ],
}

/** Backs up with a key pair and a folder of this run, so that the operator's own backups are not touched. */
async function backUpAndDrill({ cli, scratch }: World): Promise<string> {
  const pair = await cli(['backup', 'new-identity'])
  expectThat(pair.exitCode === 0, 'backup new-identity failed.')
  const identity = join(scratch, 'identity')
  writeFileSync(identity, pair.stdout, { mode: 0o600 })
  const recipient = /age1[0-9a-z]+/.exec(pair.stdout + pair.stderr)?.[0] ?? ''
  const env = { BACKUP_DIR: join(scratch, 'shelf'), BACKUP_RECIPIENTS: recipient }
  for (const args of [['backup'], ['backup', 'verify', '--identity', identity, '--scratch', scratch]]) {
    const { exitCode, stderr } = await cli(args, env)
    expectThat(exitCode === 0, `${args.slice(0, 2).join(' ')} exited with ${exitCode}. ${stderr.trim().slice(-300)}`)
  }
  const drill = await cli(['restore-drill', '--identity', identity, '--scratch', scratch], env)
  expectThat(drill.exitCode === 0, `restore-drill exited with ${drill.exitCode}. ${drill.stderr.trim().slice(-300)}`)
  const found: unknown = JSON.parse(drill.stdout)
  return `Encrypted, verified and restored in a scratch folder; ${numberAt(found, 'brokenChains')} broken chains.`
}

export const reporting: Gate = {
  id: 'phase_17',
  title: 'Final acceptance report',
  phase: 17,
  checks: [
    {
      name: 'the service reports the status of every phase once, with a reason',
      run: async ({ viewer }) => {
        const reported = await capabilitiesOf(viewer.get('/capabilities'))
        for (const { phase } of specifiedPhases) {
          const times = reported.filter((one) => one.phase === phase).length
          expectThat(times === 1, `Phase ${phase} is reported ${times} times.`)
        }
        return `${reported.length} phases are reported, each with a status and a reason.`
      },
    },
    {
      name: 'administrators can read the last report; others cannot',
      run: async ({ administrator, operator }) => {
        expectStatus(await administrator.get('/acceptance-report'), 200, 'the last report')
        expectStatus(await operator.get('/acceptance-report'), 403, 'the last report for an operator')
        return 'The route answers administrators, and refuses an operator.'
      },
    },
  ],
}

export type CapabilityReport = { phase: number; area: string; status: string; reason: string }

/** Returns the phases as the running service reports them, in its order. */
export async function capabilitiesOf(answer: Promise<Answer>): Promise<CapabilityReport[]> {
  const { body } = expectStatus(await answer, 200, 'the capabilities')
  return listAt(body, 'items').map((item) => ({
    phase: numberAt(item, 'phase'),
    area: textAt(item, 'area'),
    status: textAt(item, 'status'),
    reason: textAt(item, 'reason'),
  }))
}
