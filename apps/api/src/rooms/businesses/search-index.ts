import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../store/change.ts'
import type { Database } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import { type Searchable, searchText, tenantToken } from './search-text.rules.ts'

type Db = Kysely<Database>

const tenantNumber = prepared<{ id: string }>()((db, param) =>
  db.selectFrom('tenants').select('number').where('id', '=', param('id')),
)

const indexedRow = prepared<{ tenantId: string; businessId: string }>()((db, param) =>
  db
    .selectFrom('businesses as b')
    .leftJoin('business_search as s', 's.docid', 'b.docid')
    .select(['b.docid', 's.text'])
    .where('b.tenant_id', '=', param('tenantId'))
    .where('b.id', '=', param('businessId')),
)

const insertRow = prepared<Indexed>()((db, param) =>
  db.insertInto('business_search').values({ docid: param('docid'), tenant: param('tenant'), text: param('text') }),
)

type Indexed = { docid: number; tenant: string; text: string }

const addToIndex = prepared<Indexed>()(
  (_db, param) =>
    sql`INSERT INTO business_search_index (rowid, tenant, text) VALUES (${param('docid')}, ${param('tenant')}, ${param('text')})`,
)

/** An index over outside content has to be told what it forgets. */
const takeFromIndex = prepared<Indexed>()(
  (_db, param) =>
    sql`INSERT INTO business_search_index (business_search_index, rowid, tenant, text)
        VALUES ('delete', ${param('docid')}, ${param('tenant')}, ${param('text')})`,
)

/**
 * Brings the text by which a business is found up to date, before the commit that it belongs to. The full-text index writes
 * itself out at every savepoint that it sees, and triggers are savepoints too; so it is written here, once for a whole batch,
 * by plain statements. Measured: a third of the time of a create.
 */
export function writeSearchText(tx: Tx, businessId: string, searchable: Searchable): void {
  const { tenantId } = tx.actor
  const text = searchText(searchable)
  tx.beforeCommit(async () => {
    const [tenant] = await tenantNumber(tx.db, { id: tenantId })
    if (tenant === undefined) throw new Error('A change in a tenant that does not exist.')
    await index(tx.db, { tenantId, businessId, tenant: tenantToken(tenant.number), text })
  })
}

async function index(
  db: Db,
  { tenantId, businessId, tenant, text }: { tenantId: string; businessId: string; tenant: string; text: string },
): Promise<void> {
  const [known] = await indexedRow(db, { tenantId, businessId })
  if (known === undefined) throw new Error('The search text of a business that does not exist.')
  const { docid, text: before } = known
  if (before === text) return
  if (before === null) {
    await insertRow(db, { docid, tenant, text })
  } else {
    await takeFromIndex(db, { docid, tenant, text: before })
    await db.updateTable('business_search').set({ text }).where('docid', '=', docid).execute()
  }
  await addToIndex(db, { docid, tenant, text })
}
