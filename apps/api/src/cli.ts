/** Operator commands on the store, without the web app. Run it with --help. */
import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { say } from './cli/command.ts'
import { runCommand } from './cli/run-command.ts'

const THREADS = '/proc/self/task'
/** Exit code if output cannot be written: EX_IOERR of sysexits. No command returns it for another reason. */
const OUTPUT_LOST = 74

// A closed pipe is not an error, because the reader needs no more output. The exit code does not change.
process.stderr.on('error', () => {})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  say(`The output of this command could not be written: ${error.message}.`)
  process.exit(OUTPUT_LOST)
})

process.exitCode = await runCommand(process.argv.slice(2), giveWay)

/**
 * Lowers the priority of this process below the API's. Linux sets priorities by thread, so the existing threads (reading, writing, compressing) are
 * lowered one by one; later threads inherit the priority. The lowest priority is not used: on a busy machine a backup of a gigabyte then took many
 * minutes while the write-ahead log grew.
 */
function giveWay(): void {
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [process.pid]
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
}
