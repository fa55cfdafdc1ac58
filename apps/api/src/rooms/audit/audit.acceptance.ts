import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'
import { untilThere } from '../../acceptance/patience.ts'

const verifier = fileURLToPath(new URL('../../../../../proof/verify.mjs', import.meta.url))

/** Runs the verifier that needs nothing of the platform. */
function verify(args: string[]): Promise<{ exitCode: number; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [verifier, ...args], (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, said: (stdout + stderr).trim() }),
    )
  })
}

export const gates: readonly Gate[] = [
  {
    phase: 15,
    checks: [
      {
        name: 'the chains and checkpoints verify from the command line',
        run: async ({ cli }) => {
          const { exitCode, stderr } = await cli(['audit', 'verify'])
          expectThat(exitCode === 0, `audit verify exited with ${exitCode}. ${stderr.trim()}`)
          return 'audit verify exited with 0.'
        },
      },
      {
        name: 'the history verifies without the platform',
        run: async ({ cli, administrator, scratch }) => {
          const place = (name: string) => join(scratch, `proof-${name}`)
          const [chain, heads, inclusion, key] = [
            place('chain.txt'),
            place('heads.jsonl'),
            place('one.txt'),
            place('key.pem'),
          ]
          const read = async (path: string) => expectStatus(await administrator.get(path), 200, `reading ${path}`).body
          const kept = await read('/audit-heads')
          writeFileSync(heads, `${JSON.stringify(find(kept, 'items.0'))}\n`)
          writeFileSync(key, textAt(kept, 'publicKey'))
          const first = textAt(await read('/audit-events?action=tenant.create'), 'items.0.id')
          const included = await untilThere(async () => {
            const answer = await administrator.get(`/audit-events/${first}/inclusion`)
            // In a new store, the first checkpoint may not be signed yet.
            return answer.status === 409 ? undefined : answer
          })
          const { body } = expectStatus(included, 200, 'reading the inclusion of an event')
          writeFileSync(inclusion, `${listAt(body, 'lines').join('\n')}\n`)
          const args = ['audit', 'export', '--tenant', textAt(kept, 'items.0.tenant'), '--to', chain]
          const { exitCode, stderr } = await cli(args)
          expectThat(exitCode === 0, `audit export exited with ${exitCode}. ${stderr.trim()}`)
          const whole = await verify(['--key', key, chain, heads])
          // The events of the last minute may wait for their checkpoint.
          const isProven = whole.exitCode === 0 || (whole.exitCode === 3 && whole.said.includes('no checkpoint covers'))
          expectThat(isProven, `The verifier exited with ${whole.exitCode} for the chain: ${whole.said}`)
          const one = await verify(['--key', key, inclusion])
          expectThat(one.exitCode === 0, `The verifier exited with ${one.exitCode} for an inclusion: ${one.said}`)
          return 'proof/verify.mjs proves an export of the chain with its head, and the inclusion of one event.'
        },
      },
    ],
  },
]
