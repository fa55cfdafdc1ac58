import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import type { IdentifierKind } from '../normalization/normalization.ts'

type Db = Kysely<Database>

/** Of a number that a thousand businesses share, a handful says enough. */
const MAX_PER_IDENTIFIER = 5

const withIdentifier = prepared<{ tenantId: string; kind: IdentifierKind; normalized: string }>()((db, param) =>
  db
    .selectFrom('business_identifiers as i')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'i.tenant_id').onRef('b.id', '=', 'i.business_id'),
    )
    .select(['b.id', 'b.name', 'b.do_not_contact'])
    .where('i.tenant_id', '=', param('tenantId'))
    .where('i.kind', '=', param('kind'))
    .where('i.normalized', '=', param('normalized'))
    .where('b.status', '=', 'active')
    .limit(sql.lit(MAX_PER_IDENTIFIER)),
)

const identifiersAfter = prepared<{ tenantId: string; kind: IdentifierKind; after: string; limit: number }>()(
  (db, param) =>
    db
      .selectFrom('business_identifiers')
      .select('normalized')
      .distinct()
      .where('tenant_id', '=', param('tenantId'))
      .where('kind', '=', param('kind'))
      .where('normalized', '>', param('after'))
      .orderBy('normalized')
      .limit(param('limit')),
)

export type Holder = { id: string; name: string; doNotContact: boolean }

/** The active businesses of the tenant that hold this very identifier, five at the most. */
export async function findHolders(
  db: Db,
  wanted: { tenantId: string; kind: IdentifierKind; normalized: string },
): Promise<Holder[]> {
  const rows = await withIdentifier(db, wanted)
  return rows.map((row) => ({ id: row.id, name: row.name, doNotContact: row.do_not_contact === 1 }))
}

/** The normalized identifiers of a kind that the tenant's records hold, in their order, from behind `after` on ('' from the first). */
export async function listIdentifiers(
  db: Db,
  wanted: { tenantId: string; kind: IdentifierKind; after: string; limit: number },
): Promise<string[]> {
  const rows = await identifiersAfter(db, wanted)
  return rows.flatMap(({ normalized }) => (normalized === null ? [] : [normalized]))
}
