import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import mysql, { type Connection } from 'mysql2/promise'
import { inject, onTestFinished } from 'vitest'
import { z } from 'zod'
import { rowsOf } from '../src/connection.ts'
import { readLiveSchema } from '../src/live-schema.ts'
import { readServer } from '../src/server.ts'
import { splitStatements } from '../src/statements.ts'
import { verifyStore } from '../src/verify.ts'

const upgradeFile = fileURLToPath(new URL('../upgrade.sql', import.meta.url))
const cliFile = fileURLToPath(new URL('../cli.ts', import.meta.url))
const baseSchema = splitStatements(readFileSync(new URL('base-schema.sql', import.meta.url), 'utf8'))

export type TestStore = {
  name: string
  socket: string
  /** connection of root */
  db: Connection
  connect(options?: mysql.ConnectionOptions): Promise<Connection>
}

/** Creates a database as it is before the upgrade, with a connection of root. Both are removed at the end of the test. */
export async function createStore(socket = inject('jobcardSocket'), characterSet = 'utf8mb4'): Promise<TestStore> {
  const name = `store_${randomBytes(6).toString('hex')}`
  const db = await mysql.createConnection({ socketPath: socket, user: 'root', charset: 'utf8mb4', dateStrings: true })
  onTestFinished(() => db.destroy())
  await db.query(`CREATE DATABASE ${name} CHARACTER SET ${characterSet}`)
  await db.query(`USE ${name}`)
  for (const { sql } of baseSchema) await db.query(sql)
  const connect = async (options: mysql.ConnectionOptions = {}) => {
    const more = await mysql.createConnection({
      socketPath: socket,
      user: 'root',
      database: name,
      charset: 'utf8mb4',
      dateStrings: true,
      ...options,
    })
    onTestFinished(() => more.destroy())
    return more
  }
  return { name, socket, db, connect }
}

/** Returns the whole content of a database: definitions of tables, views, routines, triggers and events, and all rows. */
export async function everythingIn(db: Connection): Promise<Record<string, unknown>> {
  const tables = await rowsOf(db, z.record(z.string(), z.string()), 'SHOW FULL TABLES')
  const everything: Record<string, unknown> = {}
  for (const [name] of tables.map((table) => Object.values(table))) {
    const [created] = await db.query(`SHOW CREATE TABLE \`${name}\``)
    // The second query sorts by the first column alone, because a table can have only one column.
    const rows = await db
      .query(`SELECT * FROM \`${name}\` ORDER BY 1, 2`)
      .catch(() => db.query(`SELECT * FROM \`${name}\` ORDER BY 1`))
    everything[name ?? ''] = { created, rows: rows[0] }
  }
  return { ...everything, ...(await programsIn(db)) }
}

/** Returns all stored routines, triggers and events. The upgrade must leave none. */
export async function programsIn(db: Connection): Promise<Record<string, unknown>> {
  const named = z.object({ name: z.string() })
  return {
    routines: await rowsOf(
      db,
      named,
      'SELECT ROUTINE_NAME AS name FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()',
    ),
    triggers: await rowsOf(
      db,
      named,
      'SELECT TRIGGER_NAME AS name FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()',
    ),
    events: await rowsOf(
      db,
      named,
      'SELECT EVENT_NAME AS name FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE()',
    ),
  }
}

/** Returns the lines of `verify` that are not `ok`. */
export async function faultsOf(db: Connection): Promise<string[]> {
  const { isMariaDb } = await readServer(db)
  const lines = await verifyStore(db, await readLiveSchema(db, isMariaDb))
  return lines.filter(({ mark }) => mark !== 'ok').map(({ mark, text: what }) => `${mark} ${what}`)
}

export type Ended = { code: number | null; output: string; errors: string }

/** Applies upgrade.sql with the command-line client, as the guide describes. */
export function runClient(
  store: TestStore,
  options: string[] = [],
  sql = readFileSync(upgradeFile, 'utf8'),
): Promise<Ended> {
  const client = process.env.JOBCARD_STORE_CLIENT ?? 'mariadb'
  const connection = ['--no-defaults', `--socket=${store.socket}`, '--user=root', '--default-character-set=utf8mb4']
  return ended(client, [...connection, ...options, store.name], process.env, sql)
}

/** Runs the command as root on this store, unless the environment sets another user. */
export function runCli(
  store: Pick<TestStore, 'name' | 'socket'>,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const settings = {
    JOBCARD_STORE_SOCKET: store.socket,
    JOBCARD_STORE_DATABASE: store.name,
    JOBCARD_STORE_USER: 'root',
  }
  return ended(process.execPath, [cliFile, ...args], { PATH: process.env.PATH, ...settings, ...environment }, '')
}

async function ended(program: string, args: string[], environment: NodeJS.ProcessEnv, input: string): Promise<Ended> {
  const child = spawn(program, args, { env: environment })
  // Ignores the error of a client that stops early and closes its input. The test checks its output.
  child.stdin.on('error', () => undefined).end(input)
  const exited = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { code, output, errors }
}
