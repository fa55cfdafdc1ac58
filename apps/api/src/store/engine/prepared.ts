import {
  type CompiledQuery,
  DummyDriver,
  type InsertType,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
} from 'kysely'
import type { Database } from '../database.ts'
import { behind, type RunnableStatement } from './kysely-over.ts'
import { StablePlanCompiler } from './query-compiler.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Kysely without a connection. It only builds SQL text. */
const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  },
})

/** A query of Kysely's builders or of its `sql` template. */
type Query<R> = { compile(executorProvider: Kysely<Database>): CompiledQuery<R> }

type Param<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

type Result<R> = { rows: R[]; changed: number }

/** Returns a function that runs a query. Its text is built once, and its statement is prepared once per connection of this thread. */
function runner<P extends Record<string, unknown>, R>(
  build: (db: Kysely<Database>, param: Param<P>) => Query<R>,
): (db: Kysely<Database>, values: P) => Promise<Result<R>> {
  let query: CompiledQuery<R> | undefined
  const statements = new WeakMap<Kysely<Database>, RunnableStatement>()

  function statementOn(db: Kysely<Database>, text: string): RunnableStatement | undefined {
    const known = statements.get(db)
    if (known !== undefined) return known
    const statement = behind(db)?.prepare(text)
    if (statement !== undefined) statements.set(db, statement)
    return statement
  }

  return async (db, values) => {
    query ??= build(compiler, (name) => sql.val(new Placeholder(name)) as never).compile(compiler)
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? boundValue(values[parameter.name]) : parameter,
    )
    const statement = statementOn(db, query.sql)
    const turn = behind(db)?.turn?.()
    if (turn !== undefined) await turn
    if (statement === undefined) {
      const { rows, numAffectedRows = 0n } = await db.executeQuery<R>({ ...query, parameters })
      return { rows, changed: Number(numAffectedRows) }
    }
    if (statement.reader) return { rows: statement.all(parameters) as R[], changed: 0 }
    return { rows: [], changed: statement.run(parameters).changes }
  }
}

/** A list is one parameter, its JSON, which `elementsOf` and `inList` read. */
function boundValue(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value
}

/**
 * Returns a function that runs a Kysely query whose text is built once instead of at every call. It is for the few queries that every request runs.
 * On a connection of this thread the statement is also prepared once and runs without Kysely, whose overhead exceeds the driver's time.
 *
 * const userName = prepared<{ id: string }>()((db, param) => db.selectFrom('users').select('name').where('id', '=', param('id')))
 * await userName(db, { id })
 */
export function prepared<P extends Record<string, unknown>>() {
  return <R>(
    build: (db: Kysely<Database>, param: Param<P>) => Query<R>,
  ): ((db: Kysely<Database>, values: P) => Promise<R[]>) => {
    const run = runner(build)
    return async (db, values) => (await run(db, values)).rows
  }
}

/** Like `prepared`, for a query of one row at most: the function returns the row, or undefined. */
export function preparedRow<P extends Record<string, unknown>>() {
  return <R>(
    build: (db: Kysely<Database>, param: Param<P>) => Query<R>,
  ): ((db: Kysely<Database>, values: P) => Promise<R | undefined>) => {
    const run = runner(build)
    return async (db, values) => (await run(db, values)).rows[0]
  }
}

/** Like `prepared`, for a statement that writes and has no RETURNING. The function returns the number of rows written. */
export function preparedWrite<P extends Record<string, unknown>>() {
  return (
    build: (db: Kysely<Database>, param: Param<P>) => Query<unknown>,
  ): ((db: Kysely<Database>, values: P) => Promise<number>) => {
    const run = runner(build)
    return async (db, values) => (await run(db, values)).changed
  }
}

type Table = keyof Database & string
type Column<T extends Table> = keyof Database[T] & string
type Row<T extends Table, C extends Column<T>> = { [K in C]: InsertType<Database[T][K]> }
/** The columns of a table that have a default in the schema, so an insert may omit them. */
type ColumnWithDefault<T extends Table> = {
  [K in Column<T>]: undefined extends InsertType<Database[T][K]> ? K : never
}[Column<T>]
/** A type that no argument matches if columns are missing. The compiler's message then names them. */
type RequireAll<T extends Table, C extends string> = [Exclude<Column<T>, ColumnWithDefault<T> | C>] extends [never]
  ? unknown
  : { missing: Exclude<Column<T>, ColumnWithDefault<T> | C> }

type OnConflict<T extends Table> = 'ignore' | { key: readonly Column<T>[]; update: readonly Column<T>[] }

/**
 * Returns a function that inserts one row by a prepared statement and returns the number of rows written. `columns` must list every column of the
 * table that has no default; the compiler names a missing one. `onConflict`: ignores an existing row, or updates these columns of the row with the
 * same key.
 *
 * const insertTag = preparedInsert('business_tags', ['tenant_id', 'business_id', 'tag'])
 * await insertTag(db, { tenant_id, business_id, tag })
 */
export function preparedInsert<T extends Table, const C extends Column<T>>(
  table: T,
  columns: readonly C[] & RequireAll<T, C>,
  onConflict?: OnConflict<T>,
): (db: Kysely<Database>, row: Row<T, C>) => Promise<number> {
  const names: readonly string[] = columns
  return preparedWrite<Record<string, unknown>>()(
    (_db, param) =>
      sql`INSERT INTO ${sql.table(table)} (${listOf(names)}) VALUES (${sql.join(names.map(param))}) ${conflictClause(onConflict)}`,
  )
}

function conflictClause(onConflict: 'ignore' | { key: readonly string[]; update: readonly string[] } | undefined) {
  if (onConflict === undefined) return sql``
  if (onConflict === 'ignore') return sql`ON CONFLICT DO NOTHING`
  const { key, update } = onConflict
  const assignments = update.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`)
  return sql`ON CONFLICT (${listOf(key)}) DO UPDATE SET ${sql.join(assignments)}`
}

function listOf(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)))
}
