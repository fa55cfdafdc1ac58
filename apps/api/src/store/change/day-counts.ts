import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { prepared, preparedWrite } from '../engine/prepared.ts'

type Table = keyof Database & string
type Counted<T extends Table> = Exclude<keyof Database[T] & string, 'tenant_id' | 'day'>
/** `at`: RFC 3339 */
type Place = { tenantId: string; at: string }

/**
 * Counts per tenant and day in UTC, in the columns of a table with the key (tenant_id, day). They are for limits of a day over rows that can be
 * deleted, or that other rows outnumber: a `dailyQuota` counts audit events, and its maximum is a constant.
 */
export function dayCounts<T extends Table, const C extends Counted<T>>(table: T, columns: readonly C[]) {
  const name = sql.table(table)
  const refs = sql.join(columns.map((column) => sql.ref(column)))
  const add = preparedWrite<Record<C | 'tenantId' | 'day', unknown>>()((_db, param) => {
    const sums = columns.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + excluded.${sql.ref(column)}`,
    )
    return sql`
      INSERT INTO ${name} (tenant_id, day, ${refs}) VALUES (${param('tenantId')}, ${param('day')}, ${sql.join(columns.map(param))})
      ON CONFLICT (tenant_id, day) DO UPDATE SET ${sql.join(sums)}`
  })
  const read = prepared<{ tenantId: string; day: string }>()(
    (_db, param) => sql<Record<C, number>>`
      SELECT ${refs} FROM ${name} WHERE tenant_id = ${param('tenantId')} AND day = ${param('day')}`,
  )
  const none = Object.fromEntries(columns.map((column) => [column, 0])) as Record<C, number>
  return {
    /** Adds one to a count of the day, inside the change that it counts. */
    async add(db: Db, { tenantId, at }: Place, column: C): Promise<void> {
      await add(db, { ...none, tenantId, day: dayOf(at), [column]: 1 })
    },
    /** Returns the counts of the day. */
    async read(db: Db, { tenantId, at }: Place): Promise<Record<C, number>> {
      return (await read(db, { tenantId, day: dayOf(at) }))[0] ?? none
    },
    /** Returns the sum of a count over all tenants, which share a limit. */
    async readOfAll(db: Db, at: string, column: C): Promise<number> {
      const { rows } = await sql<{ sum: number | null }>`
        SELECT sum(${sql.ref(column)}) AS sum FROM ${name} WHERE day = ${dayOf(at)}`.execute(db)
      return rows[0]?.sum ?? 0
    },
  }
}

function dayOf(at: string): string {
  return at.slice(0, 10)
}
