/** What an operator asks of the store without the web app. Run it with --help. */
import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { runCommand } from './cli/run-command.ts'

const THREADS = '/proc/self/task'

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
