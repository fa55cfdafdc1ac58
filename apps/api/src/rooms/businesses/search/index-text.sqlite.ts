import { sql } from 'kysely'
import type { Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import { type Searchable, searchText, tenantToken } from './search-text.rules.ts'

/** Number of pending texts that causes the search index to be written. */
const INDEX_AT = 64
/**
 * Pages of the index that each write merges. 64 texts fill some ten pages, and with a million records each page is rewritten seven times. With fewer
 * pages per write the number of segments would grow until the index merges sixteen at once.
 */
const PAGES_AT_ONCE = 128

/** The part of a change that writes search data. The renewal of search data has one too, although it is no change of a record. */
export type SearchTx = Pick<Tx, 'db' | 'beforeCommit'> & { actor: Pick<Tx['actor'], 'tenantId'> }

type Indexed = { docid: number; tenant: string; text: string }

const presentText = prepared<{ tenantId: string; businessId: string }>()((db, param) =>
  db
    .selectFrom('businesses as b')
    .innerJoin('tenants as t', 't.id', 'b.tenant_id')
    .leftJoin('business_search_pending as p', 'p.docid', 'b.docid')
    .leftJoin('business_search as s', 's.docid', 'b.docid')
    .select((eb) => ['b.docid', 't.number', eb.fn.coalesce('p.text', 's.text').as('text')])
    .where('b.tenant_id', '=', param('tenantId'))
    .where('b.id', '=', param('businessId')),
)

const setPending = prepared<Indexed>()((db, param) =>
  db
    .insertInto('business_search_pending')
    .values({ docid: param('docid'), tenant: param('tenant'), text: param('text') })
    .onConflict((conflict) => conflict.column('docid').doUpdateSet((eb) => ({ text: eb.ref('excluded.text') }))),
)

const countPending = prepared<Record<never, never>>()((db) =>
  db.selectFrom('business_search_pending').select((eb) => eb.fn.countAll<number>().as('count')),
)

/** Selects the pending texts in ascending order of their numbers, because a smaller number makes the index flush. */
const allPending = prepared<Record<never, never>>()((db) =>
  db
    .selectFrom('business_search_pending')
    .leftJoin('business_search as s', 's.docid', 'business_search_pending.docid')
    .selectAll('business_search_pending')
    .select('s.text as indexed')
    .orderBy('business_search_pending.docid'),
)

const insertRow = preparedInsert('business_search', ['docid', 'tenant', 'text'])

const updateRow = prepared<Pick<Indexed, 'docid' | 'text'>>()((db, param) =>
  db
    .updateTable('business_search')
    .set({ text: param('text') })
    .where('docid', '=', param('docid')),
)

const addToIndex = prepared<Indexed>()(
  (_db, param) =>
    sql`INSERT INTO business_search_index (rowid, tenant, text) VALUES (${param('docid')}, ${param('tenant')}, ${param('text')})`,
)

/**
 * Statement that sends a command to the index. Its value is a literal, because the index accepts only integers and a parameter is bound as a float.
 */
const tellIndex = (command: 'secure-delete' | 'merge', value: number) =>
  prepared<Record<never, never>>()(
    () =>
      sql`INSERT INTO business_search_index (business_search_index, rank) VALUES (${sql.lit(command)}, ${sql.lit(value)})`,
  )
const forgetAtOnce = tellIndex('secure-delete', 1)
const forgetLater = tellIndex('secure-delete', 0)
const putTogether = tellIndex('merge', PAGES_AT_ONCE)
const putFewTogether = tellIndex('merge', PAGES_AT_ONCE / 16)

/** Statement that deletes a text from the index. It contains the old text, because an index with external content does not store texts. */
const takeFromIndex = prepared<Indexed>()(
  (_db, param) =>
    sql`INSERT INTO business_search_index (business_search_index, rowid, tenant, text)
        VALUES ('delete', ${param('docid')}, ${param('tenant')}, ${param('text')})`,
)

/**
 * Updates the search text of a business in the transaction of the change. The text is stored as pending, and searches read pending texts too. When
 * enough texts are pending, all of them are written to the index, which is several times cheaper than writing them one by one. The index is written
 * just before the commit and without a trigger, because it flushes at every savepoint, and a trigger is a savepoint too. Returns the numbers of the
 * tenant and the business.
 */
export async function indexText(
  tx: SearchTx,
  businessId: string,
  searchable: Searchable,
): Promise<{ tenant: number; docid: number }> {
  const { tenantId } = tx.actor
  const text = searchText(searchable)
  const [known] = await presentText(tx.db, { tenantId, businessId })
  if (known === undefined) throw new Error('The search text of a business that does not exist.')
  const numbers = { tenant: known.number, docid: known.docid }
  if (known.text === text) return numbers
  await setPending(tx.db, { docid: known.docid, tenant: tenantToken(known.number), text })
  tx.beforeCommit(async () => {
    const [pending] = await countPending(tx.db, {})
    if (pending !== undefined && pending.count >= INDEX_AT) await indexPending(tx.db)
  })
  return numbers
}

/** Writes all pending texts to the index before the commit, for example to delete text at once. */
export function indexAtOnce(tx: Pick<Tx, 'db' | 'beforeCommit'>): void {
  tx.beforeCommit(() => indexPending(tx.db))
}

/** Like `indexAtOnce`, for a few texts: it also merges fewer pages of the index. */
export function indexFewAtOnce(tx: Pick<Tx, 'db' | 'beforeCommit'>): void {
  tx.beforeCommit(() => indexPending(tx.db, putFewTogether))
}

/**
 * Writes the pending texts to the index. Replaced text is physically deleted at once; otherwise the index would contain it until its segments merge,
 * which may never happen, and a former name would outlive the erasure of its record. The index never merges by itself, because hundreds of pages in
 * one commit blocked all requests (docs/decisions/full-text-search.md).
 */
async function indexPending(db: Db, merge = putTogether): Promise<void> {
  const pending = await allPending(db, {})
  const forgets = pending.some(({ indexed }) => indexed !== null)
  if (forgets) await forgetAtOnce(db, {})
  for (const { docid, tenant, text, indexed } of pending) {
    if (indexed === null) {
      await insertRow(db, { docid, tenant, text })
    } else {
      await takeFromIndex(db, { docid, tenant, text: indexed })
      await updateRow(db, { docid, text })
    }
    await addToIndex(db, { docid, tenant, text })
  }
  if (forgets) await forgetLater(db, {})
  await merge(db, {})
  await db.deleteFrom('business_search_pending').execute()
}
