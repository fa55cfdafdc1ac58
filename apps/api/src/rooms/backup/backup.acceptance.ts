import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectThat, numberAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'

export const gates: readonly Gate[] = [
  {
    phase: 15,
    checks: [
      {
        name: 'a backup is taken beside the running service, verified, opened and restored in a drill',
        run: backUpAndDrill,
      },
    ],
  },
]

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
