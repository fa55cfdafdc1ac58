import { sql } from 'kysely'
import type { PipelineState } from '../../../lib/pipeline-state.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'
import type { BusinessTable } from '../businesses.table.ts'

/**
 * Maximum number of businesses returned per identifier. Without a limit the result could be large, because a thousand businesses can share an
 * identifier.
 */
export const MAX_PER_IDENTIFIER = 5

type Identifier = { tenantId: string; kind: IdentifierKind; normalized: string }

/**
 * Selects active businesses by a normalized identifier. The cross join fixes the join order; otherwise SQLite reads all active businesses of the
 * tenant. A business that has the identifier twice is returned once.
 */
const withIdentifier = prepared<Identifier & { minBlock: 0 | 1; limit: number }>()((db, param) =>
  db
    .selectFrom('business_identifiers as i')
    .crossJoin('businesses as b')
    .select(['b.id', 'b.name', 'b.pipeline_state', 'b.do_not_contact'])
    .where('i.tenant_id', '=', param('tenantId'))
    .where('i.kind', '=', param('kind'))
    .where('i.normalized', '=', param('normalized'))
    .whereRef('b.tenant_id', '=', 'i.tenant_id')
    .whereRef('b.id', '=', 'i.business_id')
    .where('b.status', '=', 'active')
    .where('b.do_not_contact', '>=', param('minBlock'))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('business_identifiers as earlier')
            .select(sql.lit(1).as('found'))
            .whereRef('earlier.tenant_id', '=', 'i.tenant_id')
            .whereRef('earlier.business_id', '=', 'i.business_id')
            .whereRef('earlier.kind', '=', 'i.kind')
            .whereRef('earlier.position', '<', 'i.position')
            .whereRef('earlier.normalized', '=', 'i.normalized'),
        ),
      ),
    )
    .orderBy('i.business_id')
    .limit(param('limit')),
)

/** Position in the list of identifiers: the last row of a page. */
export type IdentifierCursor = { businessId: string; kind: IdentifierKind; position: number }
export type ListedIdentifier = IdentifierCursor & { normalized: string | null }

const identifiersAfter = prepared<IdentifierCursor & { tenantId: string; limit: number }>()(
  (_db, param) => sql<ListedIdentifier>`
    SELECT business_id AS "businessId", kind, position, normalized FROM business_identifiers
    WHERE tenant_id = ${param('tenantId')}
      AND (business_id, kind, position) > (${param('businessId')}, ${param('kind')}, ${param('position')})
    ORDER BY business_id, kind, position LIMIT ${param('limit')}`,
)

export type Holder = { id: string; name: string; pipelineState: PipelineState; doNotContact: boolean }

/**
 * Returns the active businesses of the tenant with this normalized identifier, oldest first, by default at most five. Businesses whose forms are of
 * an older rule version are found only after their renormalization.
 */
export function findHolders(db: Db, identifier: Identifier, limit = MAX_PER_IDENTIFIER): Promise<Holder[]> {
  return findWithIdentifier(db, identifier, { minBlock: 0, limit })
}

const holdersOfEach = prepared<{ tenantId: string; kind: IdentifierKind; values: readonly string[] }>()(
  (_db, param) => sql<{ value: string; id: string }>`
    SELECT wanted.value, b.id FROM ${elementsOf(param('values'), 'wanted')}
      ${thenJoin} businesses b ON b.tenant_id = ${param('tenantId')} AND b.id IN (
        SELECT DISTINCT i.business_id FROM business_identifiers i ${thenJoin} businesses x
          ON x.tenant_id = i.tenant_id AND x.id = i.business_id AND x.status = 'active'
        WHERE i.tenant_id = ${param('tenantId')} AND i.kind = ${param('kind')} AND i.normalized = wanted.value
        ORDER BY i.business_id LIMIT ${MAX_PER_IDENTIFIER})`,
)

/** Returns the ids of the holders that `findHolders` returns for each of these values. */
export async function findHolderIds(
  db: Db,
  { tenantId, kind }: Omit<Identifier, 'normalized'>,
  values: Iterable<string>,
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await holdersOfEach(db, { tenantId, kind, values: [...new Set(values)] })
  const byValue = Map.groupBy(rows, ({ value }) => value)
  return new Map([...byValue].map(([value, found]) => [value, found.map(({ id }) => id)]))
}

/**
 * Same as `findHolders`, but always shows a block: if none of the first five businesses is do not contact and a later one is, the oldest such
 * business is added as the sixth. Can read all businesses with the identifier.
 */
export async function findHoldersAndBlocked(db: Db, identifier: Identifier): Promise<Holder[]> {
  const found = await findHolders(db, identifier)
  if (found.length < MAX_PER_IDENTIFIER || found.some(({ doNotContact }) => doNotContact)) return found
  return [...found, ...(await findWithIdentifier(db, identifier, { minBlock: 1, limit: 1 }))]
}

async function findWithIdentifier(
  db: Db,
  identifier: Identifier,
  wanted: { minBlock: 0 | 1; limit: number },
): Promise<Holder[]> {
  return (await withIdentifier(db, { ...identifier, ...wanted })).map(toHolder)
}

export type HolderRow = Pick<BusinessTable, 'id' | 'name' | 'pipeline_state' | 'do_not_contact'>

export function toHolder({ id, name, pipeline_state, do_not_contact }: HolderRow): Holder {
  return { id, name, pipelineState: pipeline_state, doNotContact: do_not_contact === 1 }
}

/** Lists the identifiers of the tenant's records, sorted by business, beginning after the position `after`. */
export async function listIdentifiers(
  db: Db,
  { tenantId, after, limit }: { tenantId: string; after: IdentifierCursor | undefined; limit: number },
): Promise<ListedIdentifier[]> {
  const from = after ?? { businessId: '', kind: 'email', position: 0 }
  return identifiersAfter(db, {
    tenantId,
    limit,
    businessId: from.businessId,
    kind: from.kind,
    position: from.position,
  })
}
