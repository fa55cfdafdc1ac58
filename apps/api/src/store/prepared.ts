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
 * A Kysely query whose text is built once instead of at every call, for the few that every request runs.
 *
 *     const userName = prepared<{ id: string }>()((db, param) => db.selectFrom('users').select('name').where('id', '=', param('id')))
 *     await userName(db, { id })
 */
export function prepared<P extends Record<string, unknown>>() {
  return <R>(
    build: (db: Kysely<Database>, param: Param<P>) => Query<R>,
  ): ((db: Kysely<Database>, values: P) => Promise<R[]>) => {
    let compiled: CompiledQuery<R> | undefined
    return async (db, values) => {
      compiled ??= build(compiler, (name) => sql.val(new Placeholder(name)) as never).compile(compiler)
      const parameters = compiled.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name] : parameter,
      )
      const { rows } = await db.executeQuery<R>({ ...compiled, parameters })
      return rows
    }
  }
}
