import { expectStatus, expectThat, find, listAt, numberAt, textAt } from '../../acceptance/acceptance-client.ts'
import { capabilitiesOf } from '../../acceptance/capabilities.ts'
import { type Gate, specifiedPhases } from '../../acceptance/gates.ts'

export const gates: readonly Gate[] = [
  {
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
        name: 'records agree with the active suppressions, the last events and the stored counts',
        run: async ({ cli }) => {
          const { exitCode, stdout, stderr } = await cli(['integrity', 'check'])
          const found = stdout.split('\n').find((line) => line.includes('\tdisagrees: ')) ?? stderr
          expectThat(exitCode === 0, `integrity check exited with ${exitCode}. ${found.trim()}`)
          return 'integrity check exited with 0.'
        },
      },
    ],
  },
  {
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
  },
]
