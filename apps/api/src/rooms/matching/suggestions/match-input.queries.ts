import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { MatchInput } from '../rules/match-record.ts'

type Key = { tenantId: string; id: string }

const activeBusiness = prepared<Key>()((db, param) =>
  db
    .selectFrom('businesses')
    .select([
      'id',
      'name',
      'trading_name',
      'registration_number',
      'street',
      'suburb',
      'city',
      'province',
      'postal_code',
      'country',
    ])
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('id'))
    .where('status', '=', 'active'),
)

const identifiersOf = prepared<Key>()((db, param) =>
  db
    .selectFrom('business_identifiers')
    .select(['kind', 'original', 'region', 'normalized'])
    .where('tenant_id', '=', param('tenantId'))
    .where('business_id', '=', param('id'))
    .orderBy('kind')
    .orderBy('position'),
)

/** Returns the fields of an active business that matching reads, or undefined if it is missing, merged or inactive. */
export async function findMatchInput(db: Db, tenantId: string, id: string): Promise<MatchInput | undefined> {
  const [row] = await activeBusiness(db, { tenantId, id })
  if (row === undefined) return undefined
  return {
    id: row.id,
    name: row.name,
    tradingName: row.trading_name,
    registrationNumber: row.registration_number,
    street: row.street,
    suburb: row.suburb,
    city: row.city,
    province: row.province,
    postalCode: row.postal_code,
    country: row.country,
    identifiers: await identifiersOf(db, { tenantId, id }),
  }
}
