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
import type { Database } from './database.ts'
import { connectionOf } from './kysely-over.ts'
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
    const statements = new WeakMap<Kysely<Database>, Statement<unknown[], R>>()

    function statementOn(db: Kysely<Database>, text: string): Statement<unknown[], R> | undefined {
      const known = statements.get(db)
      if (known !== undefined) return known
      const statement = connectionOf(db)?.prepare<unknown[], R>(text)
      if (statement !== undefined) statements.set(db, statement)
      return statement
    }

    return async (db, values) => {
      query ??= build(compiler, (name) => sql.val(new Placeholder(name)) as never).compile(compiler)
      const parameters = query.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name] : parameter,
      )
      const statement = statementOn(db, query.sql)
      if (statement === undefined) return (await db.executeQuery<R>({ ...query, parameters })).rows
      if (statement.reader) return statement.all(...parameters)
      statement.run(...parameters)
      return []
    }
  }
}
