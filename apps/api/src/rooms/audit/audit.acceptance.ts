import { expectThat } from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'

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
    ],
  },
]
