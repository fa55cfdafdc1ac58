/** What an operator asks of the store without the web app. Run it with --help. */
import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { say } from './cli/command.ts'
import { runCommand } from './cli/run-command.ts'

const THREADS = '/proc/self/task'
/** What was found could not be handed over, whatever it was: EX_IOERR of sysexits, which no command ends with. */
const OUTPUT_LOST = 74

// Whoever reads no more has seen enough: the command ends as it would have.
process.stderr.on('error', () => {})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  say(`What this command found could not be written: ${error.message}.`)
  process.exit(OUTPUT_LOST)
})

process.exitCode = await runCommand(process.argv.slice(2), giveWay)

/**
 * Lets whoever works with the API go first. On Linux a priority is a thread's own, so those that are there already, which read, write and
 * compress, are told one by one; later ones have that of whoever makes them. Not the lowest there is: on a busy machine a backup of a
 * gigabyte then took many minutes, and the log of the store grew all the while.
 */
function giveWay(): void {
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [process.pid]
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
}
