import { startupErrorText } from '../startup-error.ts'
import { acceptanceCommand } from './acceptance-command.ts'
import { assistCommands } from './assist-commands.ts'
import { auditCommands } from './audit-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { type Command, print, say, UsageError } from './command.ts'
import { integrityCommand } from './integrity-command.ts'
import { migrationCommands } from './migration-commands.ts'
import { probeCommand } from './probe-command.ts'
import { sampleCommand } from './sample-command.ts'
import { storeCommands } from './store-commands.ts'
import { tenantCommands } from './tenant-commands.ts'
import { userCommands } from './user-commands.ts'

const commands: Command[] = [
  ...tenantCommands,
  ...userCommands,
  ...auditCommands,
  integrityCommand,
  ...migrationCommands,
  ...backupCommands,
  ...storeCommands,
  probeCommand,
  acceptanceCommand,
  ...assistCommands,
  sampleCommand,
]

/**
 * Runs the typed command and returns the exit code. Prints a failure as a sentence on standard error and never throws. Calls `giveWay` before a
 * command that runs at low priority.
 */
export async function runCommand(args: string[], giveWay: () => void): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    print(help())
    return args.length === 0 ? 2 : 0
  }
  try {
    const [command, rest] = find(args)
    if (command.givesWay === true) giveWay()
    return await command.run(rest)
  } catch (error) {
    say(error instanceof UsageError ? error.message : startupErrorText(error))
    return error instanceof UsageError ? 2 : 1
  }
}

/** Returns the command whose name is the words before the first option, and its arguments. */
function find(args: string[]): [Command, string[]] {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'))
  const words = firstOption === -1 ? args : args.slice(0, firstOption)
  const name = words.join(' ')
  const command = commands.find((known) => known.name === name)
  if (command === undefined) throw new UsageError(`There is no command ${name || args[0]}; --help lists the commands.`)
  return [command, args.slice(words.length)]
}

function help(): string {
  const shown = commands.map(({ name, options, does }) =>
    [`  ${name} ${options}`.trimEnd(), `      ${does}`].join('\n'),
  )
  return `node apps/api/src/cli.ts <command>\n\n${shown.join('\n')}\n\nDATA_DIR names the folder of the store (default: data). Commands can run beside a running API.`
}
