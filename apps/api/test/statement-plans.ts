import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'
import { vi } from 'vitest'
import type { BackgroundRequest } from '../src/store/engine/background.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE, type Store } from '../src/store/store.ts'

export type Statement = { sql: string; where: 'store' | 'background' }

/** Records the text of every prepared statement, in this thread and in the background thread. */
export function watchStatements(): Map<string, Statement> {
  const seenStatements = new Map<string, Statement>()
  const note = (sql: string, where: Statement['where']) => {
    if (!seenStatements.has(sql)) seenStatements.set(sql, { sql, where })
  }
  const prepare = BetterSqlite3.prototype.prepare
  vi.spyOn(BetterSqlite3.prototype, 'prepare').mockImplementation(function (this: BetterSqlite3.Database, sql: string) {
    note(sql, 'store')
    return prepare.call(this, sql)
  })
  const post = Worker.prototype.postMessage
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    message: { request?: Partial<BackgroundRequest> },
  ) {
    if (message.request?.sql !== undefined) note(message.request.sql, 'background')
    return post.call(this, message)
  })
  return seenStatements
}

/** Returns SQLite's query plan of a statement, one step per line. A subquery that ends with LIMIT is listed as a step of its own. */
export function planOf(connection: BetterSqlite3.Database, sql: string): string[] {
  const parameters = Array.from({ length: sql.split('?').length - 1 }, () => null)
  const rows = connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters)
  return rows.map(({ detail }) => detail)
}

/**
 * Returns true if a statement reads all of a tenant's rows in some table. A query with a limit is not counted, because it stops when its page is
 * full.
 */
function walksTenant(sql: string, plan: readonly string[]): boolean {
  // The plan of an INSERT also contains searches for child rows of the new row. SQLite runs them only while a foreign key is violated.
  if (/^\s*INSERT/i.test(sql) || /\blimit\b/i.test(sql)) return false
  return plan.some((step) => step.endsWith('(tenant_id=?)') && !fewInTenant.test(step))
}
const fewInTenant =
  /^SEARCH (business_counts|pipeline_configurations|follower_positions|match_suggestion_counts|source_raw_counts) /

/** Matches scans of tables that remain small however large a tenant grows, of rows that the statement itself contains, and of the rows of a count with a limit. */
const bounded =
  /^SCAN (\(subquery-\d+\)|CONSTANT ROW|\d+-ROW VALUES CLAUSE|counted|activity|sqlite_master|sqlite_schema|schema_steps|business_search_pending|found|chain|family|asked|current|json_each)/
/** Matches the scan of a list parameter, under any alias. */
const given = /^SCAN \w+ (EXISTS )?VIRTUAL TABLE INDEX 1:/
/** Matches a full-text search. The plan shows its MATCH as `0:M` with the number of the column. */
const byText = /^SCAN business_search_index VIRTUAL TABLE INDEX 0:M\d+/

export function askedOf(statements: ReadonlyMap<string, Statement>): Statement[] {
  return [...statements.values()].filter(({ sql }) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql))
}

export function walks(sql: string, plan: readonly string[]): boolean {
  const scans = plan.some(
    (step) => step.startsWith('SCAN') && ![bounded, given, byText].some((known) => known.test(step)),
  )
  return scans || walksTenant(sql, plan)
}

/** Returns the statements that scan a whole table or all rows of a tenant, and the statements that sort. */
export function findPlans(store: Pick<Store, 'dataDir'>, asked: readonly Statement[]) {
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const walking: (Statement & { plan: string[] })[] = []
  const sorting: Statement[] = []
  for (const statement of asked) {
    const plan = planOf(connection, statement.sql)
    if (walks(statement.sql, plan)) walking.push({ ...statement, plan })
    if (plan.some((step) => step.includes('USE TEMP B-TREE'))) sorting.push(statement)
  }
  connection.close()
  return { walking, sorting }
}

/**
 * Returns the plans of the statements that search for the records with an identifier. They have a limit, so `findPlans` would not report that they
 * scan the tenant.
 */
export function plansByIdentifier(store: Pick<Store, 'dataDir'>, asked: readonly Statement[]): string[] {
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const looking = asked.filter(({ sql }) => sql.includes('"business_identifiers" as "i"'))
  const steps = looking.map(({ sql }) => planOf(connection, sql)[0] ?? '')
  connection.close()
  return steps
}
export const foundByIdentifier =
  'SEARCH i USING COVERING INDEX business_identifiers_by_value (tenant_id=? AND kind=? AND normalized=?)'
