/** What an operator asks of the store without the web app. Run it with --help. */
import { acceptanceCommand } from './cli/acceptance-command.ts'
import { auditCommands } from './cli/audit-commands.ts'
import { backupCommands } from './cli/backup-commands.ts'
import { type Command, print, say, UsageError } from './cli/command.ts'
import { migrationCommands } from './cli/migration-commands.ts'
import { probeCommand } from './cli/probe-command.ts'
import { sampleCommand } from './cli/sample-command.ts'
import { tenantCommands } from './cli/tenant-commands.ts'
import { userCommands } from './cli/user-commands.ts'
import { failureSentence } from './failure-sentence.ts'

const commands: Command[] = [
  ...tenantCommands,
  ...userCommands,
  ...auditCommands,
  ...migrationCommands,
  ...backupCommands,
  probeCommand,
  acceptanceCommand,
  sampleCommand,
]

process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    print(help())
    return args.length === 0 ? 2 : 0
  }
  try {
    const [command, rest] = find(args)
    return await command.run(rest)
  } catch (error) {
    say(error instanceof UsageError ? error.message : failureSentence(error))
    return error instanceof UsageError ? 2 : 1
  }
}

/** The command of the words before the first option, with the arguments that are its own. */
function find(args: string[]): [Command, string[]] {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'))
  const words = firstOption === -1 ? args : args.slice(0, firstOption)
  const name = words.join(' ')
  const command = commands.find((known) => known.name === name)
  if (command === undefined) throw new UsageError(`There is no command ${name || args[0]}; --help lists what there is.`)
  return [command, args.slice(words.length)]
}

function help(): string {
  const shown = commands.map(({ name, options, does }) =>
    [`  ${name} ${options}`.trimEnd(), `      ${does}`].join('\n'),
  )
  return `node apps/api/src/cli.ts <command>\n\n${shown.join('\n')}\n\nDATA_DIR names the folder of the store (data, unless set). A running API does not mind.`
}
