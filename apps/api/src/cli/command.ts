import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { signOnce } from '../rooms/audit/audit.ts'
import { migrations } from '../rooms/migrations.ts'
import { requireStore } from '../store/files/enter-store.ts'
import { openStore, type Store } from '../store/store.ts'

/** One thing that an operator can ask for. */
export type Command = {
  /** as it is typed: `tenant create` */
  name: string
  /** its options, as the help shows them */
  options: string
  /** what it does, in half a sentence */
  does: string
  /** whoever works with the API goes first */
  givesWay?: true
  /** Answers the exit code. What can be used further (an id, a number) goes to standard output, words go to standard error. */
  run(args: string[]): Promise<number>
}

/** The command was not typed as it should be: a sentence, and exit code 2. */
export class UsageError extends Error {}

/** Reads a command's options; anything that is not one of them is refused. */
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

/** Of the environment only what concerns a command on the data folder, so that a leftover of the first start is no obstacle. */
export function dataDirEnvironment(): NodeJS.ProcessEnv {
  const { AUTOMATED_OUTREACH_ENABLED, DATA_DIR } = process.env
  return { AUTOMATED_OUTREACH_ENABLED, DATA_DIR }
}

/**
 * Works on the store of DATA_DIR, beside a running API if there is one: each waits for the other's commit. `mayBeNew`: makes it where there is none. A change is
 * signed before the command ends, where no API runs that signs it.
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

/** Signs what the command changed. A failure undoes no change: the next start of the API signs it. */
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

/** The words of a line of the log. */
export function tellWarning(_fields: object, sentence = ''): void {
  say(sentence)
}

function tellOfUpgrade(steps: number): void {
  say(
    `The store is brought to the schema of this version first (steps: ${steps}). That takes minutes where it is large; stopped in the middle, it goes on at the next start.`,
  )
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

/** Where a server that listens on `host` is reached from here. */
export function addressOf(host: string | undefined, port: string | undefined, otherwise: string): string {
  const reachable = host === undefined || host === '' || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port || otherwise}`
}
