import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '../../lib/actor.ts'
import type { AuditAction } from '../../lib/declared.ts'
import type { Db } from '../database.ts'
import type { Store } from '../store.ts'
import { change, type Tx, unchanged } from './change.ts'

/** Pause after a batch, as a multiple of its duration. Requests are served meanwhile. */
const REST = 2

export type SweepContext = {
  store: Store
  tenantId: string
  /** maximum number of rows that one transaction changes */
  limit: number
  isStopped(): boolean
}

/** Which rows a query of due rows returns: at most `limit` rows of the tenant that are due at `now`. */
export type DueAt = { tenantId: string; now: string; limit: number }

type Due<Row> = {
  /** true if no index answers the query, so that the look before a transaction uses the background reader */
  isSlow?: true
  /** selects due rows. After `apply` it must not return them again */
  due(db: Db, at: DueAt): Promise<readonly Row[]>
}

type Sweep<Row> = Due<Row> & {
  actor: Actor
  action: AuditAction
  /** changes the rows and records the audit events */
  apply(tx: Tx, rows: readonly Row[]): Promise<unknown>
}

/**
 * Changes all due rows of a tenant in bounded changes, and returns their number. Opens no write transaction if nothing is due. Each change selects its
 * rows again, because another change may have come first. Pauses between two changes, so that requests are served. Errors: those of `change`; the
 * batches before a failed one stay.
 */
export function sweep<Row>(context: SweepContext, { actor, action, apply, ...due }: Sweep<Row>): Promise<number> {
  return inBatches(context, due, async (select) => {
    const { value } = await change(context.store, actor, { permission: null, action }, async (tx) => {
      const rows = await select(tx.db, tx.at)
      if (rows.length === 0) return unchanged(0)
      await apply(tx, rows)
      return rows.length
    })
    return value
  })
}

/** Sweeps derived rows, which no audit event records (`writeDerived`), in the same way as `sweep`. */
export function sweepDerived<Row>(
  context: SweepContext,
  { apply, ...due }: Due<Row> & { apply(db: Db, rows: readonly Row[]): Promise<unknown> },
): Promise<number> {
  const { store, tenantId } = context
  return inBatches(context, due, (select) =>
    store.write({ tenantId }, async (db) => {
      const rows = await select(db, store.clock().toISOString())
      if (rows.length > 0) await apply(db, rows)
      return { keep: rows.length > 0, value: rows.length }
    }),
  )
}

type Select<Row> = (db: Db, now: string) => Promise<readonly Row[]>

async function inBatches<Row>(
  { store, tenantId, limit, isStopped }: SweepContext,
  { isSlow, due }: Due<Row>,
  write: (select: Select<Row>) => Promise<number>,
): Promise<number> {
  const select: Select<Row> = async (db, now) => {
    const rows = await due(db, { tenantId, now, limit })
    if (rows.length > limit) throw new Error(`A sweep selected ${rows.length} rows, and its limit is ${limit}.`)
    return rows
  }
  let swept = 0
  while (!isStopped()) {
    const reader = isSlow ? store.backgroundOf(tenantId) : store.reader
    const found = await due(reader, { tenantId, now: store.clock().toISOString(), limit: 1 })
    if (found.length === 0) break
    const began = performance.now()
    const count = await write(select)
    swept += count
    if (count < limit) break
    await delay(REST * (performance.now() - began))
  }
  return swept
}
