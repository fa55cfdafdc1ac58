import { type RawBuilder, sql, type UpdateResult } from 'kysely'
import { type Cursors, type Page, type PageQuery, toPage, totalOf } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import type { Tx } from '../../../store/change/change.ts'
import { updateInParts } from '../../../store/change/in-parts.ts'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { type ContactValue, findHiddenValues } from '../../contact-gate/contact-gate.ts'
import { getBusiness } from '../businesses.queries.ts'
import { hidesWrittenFor } from '../record/hide-values.ts'
import { familyOf, throughMerges } from './merge-records.ts'

/** Query for rows of exactly this record that follow the sort values `before` in the order of the list. */
type Wanted = { tenantId: string; businessId: string; before: readonly string[] | undefined; limit: number }

type Definition<Row, Item> = {
  /** name of the list, which its cursors are bound to */
  name: string
  table: string
  select(db: Db, wanted: Wanted): Promise<Row[]>
  /** returns the record that a row was written for */
  businessOf(row: Row): string
  /** returns the sort values of a row, the last one unique; rows are in descending order; default: the id, so newest first */
  order?(row: Row): readonly [string, ...string[]]
  /** returns the contact values of a row that mark no record; a row with a suppressed one is hidden as if its record were do not contact */
  contactsOf?(row: Row): readonly ContactValue[]
  toItem(row: Row, to: { reader: UserActor; isHidden: boolean }): Item
  /** updates these rows to their content after an erasure */
  empty(db: Db, tenantId: string, ids: RawBuilder<string>): { executeTakeFirst(): Promise<UpdateResult> }
}

export type BusinessChild<Item> = {
  /**
   * returns a page of the rows of a business and of the records merged into it; `toItem` receives whether contact values are hidden from the reader;
   * errors: `not_found`, `invalid_request` (the cursor)
   */
  list(store: Store, cursors: Cursors, reader: UserActor, businessId: string, query: PageQuery): Promise<Page<Item>>
  /** empties the rows of these records for an erasure; the rows remain; returns the number of rows */
  erase(tx: Tx, businessIds: readonly string[]): Promise<number>
}

/**
 * Defines a kind of child record that a higher room stores and declares under `businessChildren` in its facts. Lists of children include those of
 * merged records, and an erasure empties the rows.
 */
export function businessChild<Row extends { id: string }, Item>(
  definition: Definition<Row, Item>,
): BusinessChild<Item> {
  const { name, table, select, businessOf, order = ({ id }) => [id], contactsOf = () => [], toItem, empty } = definition
  return {
    async list(store, cursors, reader, businessId, { cursor, limit }) {
      const db = store.reader
      const { tenantId } = reader
      const business = await getBusiness(db, tenantId, businessId)
      const binding = [name, tenantId, businessId]
      const before = cursor === undefined ? undefined : cursors.decode(binding, cursor).map(String)
      const rows = await throughMerges(
        db,
        { tenantId, businessId },
        (one) => select(db, { tenantId, businessId: one, before, limit: limit + 1 }),
        (a, b) => compareDown(order(a), order(b)),
      )
      const family = await familyOf(db, tenantId, businessId)
      const count = () =>
        sql`(SELECT 1 FROM ${sql.table(table)} WHERE tenant_id = ${tenantId} AND business_id IN ${inList(family)})`
      const total = await totalOf(store, { tenantId, rows, limit, cursor }, count)
      const isHidden = await hidesWrittenFor(db, reader, business, rows.map(businessOf))
      const contacts = rows.flatMap((row) => contactsOf(row).map((value) => ({ ...value, row })))
      const found = await findHiddenValues({ db, keys: store.keys }, reader, contacts)
      const suppressed = new Set(contacts.flatMap(({ row }, at) => (found.has(at) ? [row] : [])))
      return toPage({
        rows,
        limit,
        total,
        toItem: (row) => toItem(row, { reader, isHidden: isHidden(businessOf(row)) || suppressed.has(row) }),
        cursorAfter: (row) => cursors.encode(binding, order(row)),
      })
    },
    async erase({ db, actor: { tenantId } }, businessIds) {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM ${sql.table(table)}
        WHERE tenant_id = ${tenantId} AND business_id IN (${sql.join(businessIds)})`.execute(db)
      return updateInParts(rows, (ids) => empty(db, tenantId, ids))
    },
  }
}

function compareDown(a: readonly string[], b: readonly string[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]
    if (other !== undefined && value !== other) return value < other ? 1 : -1
  }
  return 0
}
