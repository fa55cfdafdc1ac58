import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { nameKeyOf } from '../../normalization/normalization.ts'
import { type Holder, MAX_PER_IDENTIFIER, toHolder } from './known-identifiers.ts'

const withName = prepared<{ tenantId: string; nameKey: string }>()((db, param) =>
  db
    .selectFrom('business_name_keys as k')
    .crossJoin('businesses as b')
    .select(['b.id', 'b.name', 'b.pipeline_state', 'b.do_not_contact'])
    .where('k.tenant_id', '=', param('tenantId'))
    .where('k.name_key', '=', param('nameKey'))
    .whereRef('b.tenant_id', '=', 'k.tenant_id')
    .whereRef('b.id', '=', 'k.business_id')
    .where('b.status', '=', 'active')
    .orderBy('k.business_id')
    .limit(sql.lit(MAX_PER_IDENTIFIER)),
)

/** Returns businesses with this name or trading name in any spelling (`nameKeyOf`), oldest first, at most five. */
export async function findNamesakes(db: Kysely<Database>, tenantId: string, name: string): Promise<Holder[]> {
  return (await withName(db, { tenantId, nameKey: nameKeyOf(name) })).map(toHolder)
}
