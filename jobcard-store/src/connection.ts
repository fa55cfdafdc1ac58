import { readFileSync } from 'node:fs'
import mysql, { type Connection } from 'mysql2/promise'
import { z } from 'zod'
import { exitCodes, StoreError, sentenceOf } from './store-error.ts'

/** Address of the server, and the account. The password comes from the environment or a file and never from an argument. */
export type Settings = {
  host: string
  port: number
  socket: string | undefined
  user: string
  password: string
  database: string
  tlsCa: string | undefined
}

/** Time after which a server that does not answer counts as unreachable. */
const connectTimeoutMs = 10_000

const defaultPort = '3306'
const portInDigits = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(65_535))

/**
 * Combines options and environment variables; options have precedence. An empty variable counts as absent, because a container passes unset variables
 * as empty. Throws StoreError (`usage`) if a setting is missing or invalid.
 */
export function readSettings(options: Record<string, string | undefined>, given: NodeJS.ProcessEnv): Settings {
  const environment = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const setting = (name: string) =>
    options[name] ?? environment[`JOBCARD_STORE_${name.toUpperCase().replace('-', '_')}`]
  const required = (name: string) => {
    const value = setting(name)
    if (value === undefined || value === '') throw usage(`--${name} is missing.`)
    return value
  }
  const port = portInDigits.safeParse(setting('port') ?? defaultPort)
  if (!port.success) throw usage('--port must be a whole number from 1 to 65535.')
  const tlsCaFile = setting('tls-ca')
  return {
    host: setting('host') ?? '127.0.0.1',
    port: port.data,
    socket: setting('socket'),
    user: required('user'),
    password: readPassword(options['password-file'], environment),
    database: required('database'),
    tlsCa: tlsCaFile === undefined ? undefined : readText(tlsCaFile, 'certificate'),
  }
}

function readPassword(file: string | undefined, environment: NodeJS.ProcessEnv): string {
  const { JOBCARD_STORE_PASSWORD: password, JOBCARD_STORE_PASSWORD_FILE: fileOfEnvironment } = environment
  const passwordFile = file ?? fileOfEnvironment
  if (passwordFile === undefined) return password ?? ''
  if (password !== undefined) throw usage('Give the password in JOBCARD_STORE_PASSWORD or in a file, not both.')
  return readText(passwordFile, 'password').replace(/\r?\n$/, '')
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usage(`The ${what} file ${file} cannot be read.`, { cause: error })
  }
}

function usage(sentence: string, options?: ErrorOptions): StoreError {
  return new StoreError(exitCodes.usage, sentence, options)
}

/** Opens a connection with the character set utf8mb4. Throws StoreError (`unreachable`) with a sentence. */
export async function connect(settings: Settings): Promise<Connection> {
  const { socket, host, port, user, password, database, tlsCa } = settings
  try {
    return await mysql.createConnection({
      ...(socket === undefined ? { host, port } : { socketPath: socket }),
      ...(tlsCa === undefined ? {} : { ssl: { ca: tlsCa } }),
      user,
      password,
      database,
      charset: 'utf8mb4',
      connectTimeout: connectTimeoutMs,
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
    })
  } catch (error) {
    throw new StoreError(exitCodes.unreachable, sentenceOf(error), { cause: error })
  }
}

/** Returns the rows of a query, each validated by the schema `row`. */
export async function rowsOf<T>(db: Connection, row: z.ZodType<T>, sql: string, values: string[] = []): Promise<T[]> {
  const [rows] = await db.query(sql, values)
  return z.array(row).parse(rows)
}

/** Returns the row of a query that has exactly one. */
export async function rowOf<T>(db: Connection, row: z.ZodType<T>, sql: string, values: string[] = []): Promise<T> {
  const [rows] = await db.query(sql, values)
  return z.tuple([row]).parse(rows)[0]
}
