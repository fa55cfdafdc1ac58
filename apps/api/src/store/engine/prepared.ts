import type { Statement } from 'better-sqlite3'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
} from 'kysely'
import type { Database } from '../database.ts'
import { type Behind, behind } from './kysely-over.ts'
import { StablePlanCompiler } from './query-compiler.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Only builds text; it is connected to nothing. */
const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  },
})

type Kept<R> = { statement: Statement<unknown[], R>; turn: Behind['turn'] }

/** What Kysely's builders make, and its `sql` template. */
type Query<R> = { compile(executorProvider: Kysely<Database>): CompiledQuery<R> }

type Param<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

/**
 * A Kysely query whose text is built once instead of at every call, for the few that every request runs. On a connection of this
 * thread its statement is kept as well and runs without Kysely in between, whose way to the driver takes longer than the driver.
 *
 *     const userName = prepared<{ id: string }>()((db, param) => db.selectFrom('users').select('name').where('id', '=', param('id')))
 *     await userName(db, { id })
 */
export function prepared<P extends Record<string, unknown>>() {
  return <R>(
    build: (db: Kysely<Database>, param: Param<P>) => Query<R>,
  ): ((db: Kysely<Database>, values: P) => Promise<R[]>) => {
    let query: CompiledQuery<R> | undefined
    const kept = new WeakMap<Kysely<Database>, Kept<R>>()

    function keptOn(db: Kysely<Database>, text: string): Kept<R> | undefined {
      const known = kept.get(db)
      if (known !== undefined) return known
      const found = behind(db)
      if (found === undefined) return undefined
      const fresh = { statement: found.connection.prepare<unknown[], R>(text), turn: found.turn }
      kept.set(db, fresh)
      return fresh
    }

    return async (db, values) => {
      query ??= build(compiler, (name) => sql.val(new Placeholder(name)) as never).compile(compiler)
      const parameters = query.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name] : parameter,
      )
      const on = keptOn(db, query.sql)
      if (on === undefined) return (await db.executeQuery<R>({ ...query, parameters })).rows
      const { statement, turn } = on
      turn?.begin()
      if (statement.reader) return statement.all(...parameters)
      statement.run(...parameters)
      return []
    }
  }
}
