import type { Kysely } from 'kysely'
import { createTextFilter, type Hash, type TextFilter } from '../../../lib/text-filter.ts'
import type { Database } from '../../../store/database.ts'
import {
  findHoldersAndBlocked,
  type Holder,
  type IdentifierCursor,
  listIdentifiers,
} from '../../businesses/businesses.thread.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'
import { mix } from './hash.ts'

/** Up to this size identifiers are looked up one by one. For a larger file a filter of the known ones is built first. */
const LOOKED_UP_ONE_BY_ONE_BYTES = 1_000_000
const PAGE = 10_000

export type KnownValues = {
  /** true if a record can have an identifier of this hash; false is certain */
  mayHold(hash: Hash): boolean
  /** includes a do not contact record if there is one */
  holders(kind: IdentifierKind, normalized: string): Promise<Holder[]>
}

/**
 * Looks up millions of identifiers of a file in the tenant's records. A query per identifier would take most of the time, so for a large file a
 * filter of the known hashes is built first, in bounded memory, and only identifiers that pass it are queried.
 */
export async function readKnownValues(
  db: Kysely<Database>,
  { tenantId, fileBytes }: { tenantId: string; fileBytes: number },
): Promise<KnownValues> {
  const filter = fileBytes > LOOKED_UP_ONE_BY_ONE_BYTES ? await fillFilter(db, tenantId) : undefined
  return {
    mayHold: (hash) => filter === undefined || filter.mayHold(hash),
    holders: (kind, normalized) => findHoldersAndBlocked(db, { tenantId, kind, normalized }),
  }
}

async function fillFilter(db: Kysely<Database>, tenantId: string): Promise<TextFilter> {
  const { count } = await db
    .selectFrom('business_identifiers')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const filter = createTextFilter(count)
  for (let after: IdentifierCursor | undefined; ; ) {
    const page = await listIdentifiers(db, { tenantId, after, limit: PAGE })
    for (const { kind, normalized } of page) if (normalized !== null) filter.add(mix(kind, normalized))
    after = page.at(-1)
    if (page.length < PAGE) return filter
  }
}
