import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import type { Turns } from '../../lib/loop-budget.ts'
import type { Database } from '../database.ts'
import type { Connection } from './connection.ts'
import { StablePlanCompiler } from './query-compiler.ts'
import type { ReadTurn } from './read-turn.ts'

/** Maximum number of cached statements. Lists build their SQL from filters, so the number of different texts is bounded but large. */
const MAX_KEPT_STATEMENTS = 500

/** A prepared statement of one connection, for Kysely and `prepared()`. */
export type RunnableStatement = Omit<SqliteStatement, 'run'> & {
  run(parameters: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
}

/**
 * Access to the statements of a connection. `rowsWritten`: number of rows that all statements wrote so far, including rolled-back ones and excluding
 * rows that triggers wrote.
 */
type Behind = {
  prepare(text: string): RunnableStatement
  rowsWritten(): number
  /** waits for the turn of background work; only for the reader of background work */
  turn?: () => Promise<void> | undefined
}

/**
 * Creates a Kysely over one connection. It caches prepared statements by their text, because preparing each time halves the throughput. It is
 * separate from `connection.ts`, so that the background thread does not load Kysely (13 MB and a fifth of a second). `turns`: each query waits for
 * the turn of background work.
 */
export function kyselyOver(connection: Connection, readTurn?: ReadTurn, turns?: Turns): Kysely<Database> {
  let rowsWritten = 0
  const prepare = (text: string): RunnableStatement => {
    const statement = connection.prepare<unknown[], unknown>(text)
    return {
      reader: statement.reader,
      all: (parameters) => {
        readTurn?.begin()
        const rows = statement.all(parameters)
        turns?.mark()
        if (!statement.readonly) rowsWritten += rows.length
        return rows
      },
      run: (parameters) => {
        readTurn?.begin()
        const result = statement.run(parameters)
        rowsWritten += result.changes
        return result
      },
      iterate: (parameters) => {
        readTurn?.begin()
        return statement.iterate(parameters)
      },
    }
  }
  const statements = new Map<string, RunnableStatement>()
  const prepareOnce = (text: string) => {
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= MAX_KEPT_STATEMENTS) statements.clear()
    const statement = prepare(text)
    statements.set(text, statement)
    return statement
  }
  const database = { prepare: prepareOnce, close: () => connection.close() }
  const db = new Kysely<Database>({ dialect: new StablePlanDialect({ database }, turns) })
  connections.set(db, { prepare, rowsWritten: () => rowsWritten, ...(turns && { turn: turns.turn }) })
  return db
}

const connections = new WeakMap<Kysely<Database>, Behind>()

/**
 * Returns direct access to the connection of a Kysely of this thread. Returns undefined for the background reader, whose connection is in another
 * thread.
 */
export function behind(db: Kysely<Database>): Behind | undefined {
  return connections.get(db)
}

/**
 * Returns the number of rows that this connection has written so far, including rolled-back ones. If the number is the same before and after work,
 * the work wrote nothing.
 */
export function rowsWritten(db: Kysely<Database>): number {
  const found = behind(db)
  if (found === undefined) throw new Error('Only a writer counts the rows that it writes.')
  return found.rowsWritten()
}

class StablePlanDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  readonly #turns: Turns | undefined

  constructor(config: SqliteDialectConfig, turns?: Turns) {
    super(config)
    this.#config = config
    this.#turns = turns
  }

  override createDriver(): Driver {
    return this.#turns === undefined ? super.createDriver() : new PacedDriver(this.#config, this.#turns)
  }

  override createQueryCompiler(): StablePlanCompiler {
    return new StablePlanCompiler()
  }
}

/** The driver of the reader of background work. */
class PacedDriver extends SqliteDriver {
  readonly #turns: Turns

  constructor(config: SqliteDialectConfig, turns: Turns) {
    super(config)
    this.#turns = turns
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.turn()
    return super.acquireConnection()
  }
}
