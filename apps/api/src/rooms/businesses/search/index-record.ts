import { unique } from '../../../lib/unique.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import { nameKeyOf } from '../../normalization/normalization.ts'
import type { BusinessNameKeyTable } from '../businesses.table.ts'
import { indexText, type SearchTx } from './index-text.sqlite.ts'
import type { Searchable } from './search-text.rules.ts'

const storedKeys = prepared<Omit<BusinessNameKeyTable, 'name_key'>>()((db, param) =>
  db
    .selectFrom('business_name_keys')
    .select('name_key')
    .where('tenant', '=', param('tenant'))
    .where('docid', '=', param('docid')),
)

const insertKey = preparedInsert('business_name_keys', ['tenant', 'name_key', 'docid'])

const deleteKey = prepared<BusinessNameKeyTable>()((db, param) =>
  db
    .deleteFrom('business_name_keys')
    .where('tenant', '=', param('tenant'))
    .where('name_key', '=', param('name_key'))
    .where('docid', '=', param('docid')),
)

/** Updates the data by which a business is found, in the transaction of the change: its search text, and the keys of its own names. */
export async function indexRecord(tx: SearchTx, businessId: string, searchable: Searchable): Promise<void> {
  const record = await indexText(tx, businessId, searchable)
  const names = [searchable.name, searchable.tradingName].filter((name) => name !== null)
  const wanted = unique(names.map(nameKeyOf))
  const stored = (await storedKeys(tx.db, record)).map(({ name_key }) => name_key)
  for (const name_key of stored) if (!wanted.includes(name_key)) await deleteKey(tx.db, { ...record, name_key })
  for (const name_key of wanted) if (!stored.includes(name_key)) await insertKey(tx.db, { ...record, name_key })
}
