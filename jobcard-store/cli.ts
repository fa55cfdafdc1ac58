/** Command that checks, upgrades and verifies a job-card data store. Run it with --help. */
import { parseArgs } from 'node:util'
import type { Connection } from 'mysql2/promise'
import { applyUpgrade } from './src/apply-upgrade.ts'
import { checkBackup } from './src/backup.ts'
import { connect, readSettings, type Settings } from './src/connection.ts'
import { readLiveSchema } from './src/live-schema.ts'
import { mayUpgrade, preflight } from './src/preflight.ts'
import { type Line, shown } from './src/report.ts'
import { readServer } from './src/server.ts'
import { exitCodes, StoreError, sentenceOf } from './src/store-error.ts'
import { isWhole, verifyStore } from './src/verify.ts'

const help = `node jobcard-store/cli.ts <command> [options]

  preflight                 looks at the server and the store, changes nothing: what stands in the way, what would be added
  upgrade --backup <file>   applies upgrade.sql after a preflight, then verifies; --without-backup goes on without one
  verify                    compares the store with the appendix, line by line

Where the store is, as options or in the environment:

  --host       JOBCARD_STORE_HOST       127.0.0.1 unless set
  --port       JOBCARD_STORE_PORT       3306 unless set
  --socket     JOBCARD_STORE_SOCKET     in place of host and port
  --user       JOBCARD_STORE_USER
  --database   JOBCARD_STORE_DATABASE
  --tls-ca     JOBCARD_STORE_TLS_CA     a file with the certificate authority of the server; the connection is then encrypted
  --password-file  JOBCARD_STORE_PASSWORD_FILE, or the password in JOBCARD_STORE_PASSWORD; it is never an argument

Ends with 0 fine · 1 something stands in the way or differs, nothing was changed · 2 typed wrong · 3 the server cannot be
reached or refuses us · 4 the upgrade began and broke off: mend what it says and run it again`

const text = { type: 'string' } as const
const optionsOfCommands = {
  host: text,
  port: text,
  socket: text,
  user: text,
  database: text,
  'tls-ca': text,
  'password-file': text,
  backup: text,
  'without-backup': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parsed(args)
    if (values.help) return print(help, exitCodes.fine)
    const { backup, 'without-backup': isWithoutBackup = false, help: _, ...connection } = values
    const [command, ...rest] = positionals
    if (command === undefined) return print(help, exitCodes.usage)
    if (rest.length > 0) throw new StoreError(exitCodes.usage, `${rest.join(' ')}: one command at a time.`)
    if (command !== 'upgrade' && (backup !== undefined || isWithoutBackup)) {
      throw new StoreError(exitCodes.usage, '--backup and --without-backup belong to upgrade.')
    }
    const settings = readSettings(connection, process.env)
    if (command === 'preflight') return await withStore(settings, tellPreflight)
    if (command === 'verify') return await withStore(settings, (db) => tellVerify(db))
    if (command === 'upgrade') return await upgrade(settings, backup, isWithoutBackup)
    throw new StoreError(exitCodes.usage, `There is no command ${command}; --help lists what there is.`)
  } catch (error) {
    return failed(error)
  }
}

function parsed(args: string[]) {
  if (args.some((arg) => /^--password(=|$)/.test(arg))) {
    throw new StoreError(
      exitCodes.usage,
      'A password is never an argument: use --password-file or JOBCARD_STORE_PASSWORD.',
    )
  }
  try {
    return parseArgs({ args, options: optionsOfCommands, allowPositionals: true })
  } catch (cause) {
    throw new StoreError(exitCodes.usage, cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

async function withStore(settings: Settings, work: (db: Connection, settings: Settings) => Promise<number>) {
  const db = await connect(settings)
  try {
    return await work(db, settings)
  } finally {
    // Closes the connection without waiting for the server. The result is already printed, so a lost connection no longer matters.
    db.destroy()
  }
}

async function tellPreflight(db: Connection, settings: Settings): Promise<number> {
  const server = await readServer(db)
  const lines = await preflight(db, server, await readLiveSchema(db, server.isMariaDb), settings.socket !== undefined)
  tell(lines)
  if (mayUpgrade(lines)) return print('The store can be upgraded.', exitCodes.fine)
  return say('The store cannot be upgraded as it is: see the lines that begin with stop.', exitCodes.refused)
}

async function tellVerify(db: Connection): Promise<number> {
  const { isMariaDb } = await readServer(db)
  const lines = await verifyStore(db, await readLiveSchema(db, isMariaDb))
  tell(lines)
  if (isWhole(lines)) return print('The store is as the appendix has it.', exitCodes.fine)
  return say(
    'The store is not as the appendix has it: see the lines that begin with missing or differs.',
    exitCodes.refused,
  )
}

async function upgrade(settings: Settings, backup: string | undefined, isWithoutBackup: boolean): Promise<number> {
  if (backup === undefined && !isWithoutBackup) {
    throw new StoreError(
      exitCodes.refused,
      'Take a backup first and name it with --backup <file>; --without-backup goes on without one. Nothing was changed.',
    )
  }
  if (backup !== undefined) tell([await checkBackup(backup)])
  return await withStore(settings, async (db) => {
    const code = await tellPreflight(db, settings)
    if (code !== exitCodes.fine) return code
    await applyUpgrade(db)
    return await tellVerify(db)
  })
}

function failed(error: unknown): number {
  if (error instanceof StoreError) return say(error.message, error.exitCode)
  return say(sentenceOf(error), exitCodes.unreachable)
}

function tell(lines: Line[]): void {
  for (const line of lines) print(shown(line), exitCodes.fine)
}

function print(line: string, code: number): number {
  process.stdout.write(`${line}\n`)
  return code
}

function say(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`)
  return code
}
