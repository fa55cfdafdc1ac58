import type BetterSqlite3 from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database } from '../database.ts'
import type { Connection } from './connection.ts'
import { StablePlanCompiler } from './query-compiler.ts'
import type { ReadTurn } from './read-turn.ts'

/** Lists build their text from filters, so the number of texts is bounded but not small. */
const MAX_KEPT_STATEMENTS = 500

/**
 * A Kysely over one connection, with prepared statements kept by their text: preparing anew halves the throughput. Apart from
 * `connection.ts`, so that the background thread does not load Kysely (13 MB and a fifth of a second).
 */
export function kyselyOver(connection: Connection, turn?: ReadTurn): Kysely<Database> {
  const statements = new Map<string, BetterSqlite3.Statement>()
  const prepare = (text: string) => {
    turn?.begin()
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= MAX_KEPT_STATEMENTS) statements.clear()
    const statement = connection.prepare(text)
    statements.set(text, statement)
    return statement
  }
  const database = { prepare, close: () => connection.close() }
  const db = new Kysely<Database>({ dialect: new StablePlanDialect({ database }) })
  connections.set(db, { connection, turn })
  return db
}

export type Behind = { connection: Connection; turn: ReadTurn | undefined }

const connections = new WeakMap<Kysely<Database>, Behind>()

/** What is behind a Kysely of this thread; undefined for the background one, whose connection is elsewhere. */
export function behind(db: Kysely<Database>): Behind | undefined {
  return connections.get(db)
}

class StablePlanDialect extends SqliteDialect {
  override createQueryCompiler(): StablePlanCompiler {
    return new StablePlanCompiler()
  }
}
