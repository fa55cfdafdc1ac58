import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { signOnce } from '../rooms/audit/audit.ts'
import { listTenants } from '../rooms/identity/identity.ts'
import { migrations } from '../rooms/migrations.ts'
import { requireStore } from '../store/files/enter-store.ts'
import { openStore, type Store } from '../store/store.ts'

/** One operator command. */
export type Command = {
  /** words of the command, such as `tenant create` */
  name: string
  /** options, as the help shows them */
  options: string
  /** effect of the command, as the help shows it */
  does: string
  /** true if the command runs at a lower priority than the API */
  givesWay?: true
  /**
   * runs the command and returns the exit code; writes output for other programs (an id, a number) to standard output and sentences to standard error
   */
  run(args: string[]): Promise<number>
}

/** Thrown for an invalid command line. The message is printed and the exit code is 2. */
export class UsageError extends Error {}

/** Parses the options of a command and rejects unknown ones. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is missing.`)
  return value
}

/** Returns only those environment variables that commands on the data folder use. Variables that were set for the first start then cause no error. */
export function dataDirEnvironment(): NodeJS.ProcessEnv {
  const { AUTOMATED_OUTREACH_ENABLED, DATA_DIR, BACKUP_DIR } = process.env
  return { AUTOMATED_OUTREACH_ENABLED, DATA_DIR, BACKUP_DIR }
}

/**
 * Runs `work` on the store of DATA_DIR. The API may be running: the processes wait for each other's commits. With `mayBeNew` a missing store is
 * created. If no API is running, the changes are signed before the command ends.
 */
export async function withStore<T>(work: (store: Store) => Promise<T>, { mayBeNew = false } = {}): Promise<T> {
  const { dataDir } = readConfig(dataDirEnvironment())
  if (!mayBeNew) requireStore(dataDir)
  const store = openStore({ dataDir, clock: systemClock, migrations, onUpgrade: tellOfUpgrade })
  try {
    return await work(store)
  } finally {
    await signChanges(store)
    await store.close()
  }
}

/** Returns the tenant of --tenant, or the only one of the store. */
export async function tenantOf(store: Store, option: string | undefined): Promise<string> {
  const tenants = await listTenants(store.reader)
  if (option !== undefined) {
    if (tenants.some(({ id }) => id === option)) return option
    throw new UsageError('There is no tenant with this id; tenant list prints them.')
  }
  const [tenant, second] = tenants
  if (tenant === undefined) throw new UsageError('There is no tenant yet; create one with tenant create.')
  if (second !== undefined) throw new UsageError('There are several tenants; choose one with --tenant.')
  return tenant.id
}

/** Signs the changes of the command. If this fails, the changes remain and the next start of the API signs them. */
async function signChanges(store: Store): Promise<void> {
  if (store.writes.commits() === 0) return
  try {
    await signOnce(store, { warn: tellWarning })
  } catch (error) {
    say(
      `The audit checkpoint of this change was not written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Prints the message of a warning that is meant for the log. */
export function tellWarning(_fields: object, sentence = ''): void {
  say(sentence)
}

function tellOfUpgrade(steps: number): void {
  say(
    `The store is brought to the schema of this version first (steps: ${steps}). A large store takes minutes; an interrupted upgrade continues at the next start.`,
  )
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

/** Returns the URL at which this host reaches a server that listens on `host`. */
export function addressOf(host: string | undefined, port: string | undefined, otherwise: string): string {
  const reachable = host === undefined || host === '' || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port || otherwise}`
}
