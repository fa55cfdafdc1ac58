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

/** Maximum size of a file whose identifiers are looked up one by one. For a larger file a filter of the known identifiers is built first. */
const LOOKED_UP_ONE_BY_ONE_BYTES = 1_000_000
const PAGE = 10_000

export type KnownValues = {
  /** Returns true if a record may have an identifier with this hash. False is certain. */
  mayHold(hash: Hash): boolean
  /** Returns some records that have this identifier. If one of them is do not contact, it is among them. */
  holders(kind: IdentifierKind, normalized: string): Promise<Holder[]>
}

/**
 * Reads the identifiers of the tenant's records for a comparison with those of a file, which can be millions. A query per identifier would take most
 * of the time. For a large file a filter of the known hashes is therefore built first, in bounded memory, and only identifiers that pass it are
 * queried.
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
