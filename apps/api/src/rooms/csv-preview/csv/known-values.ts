import type { Kysely } from 'kysely'
import { createTextFilter, type Hash, type TextFilter } from '../../../lib/text-filter.ts'
import type { Database } from '../../../store/database.ts'
import {
  findHoldersAndBlocked,
  type Holder,
  type IdentifierPlace,
  listIdentifiers,
} from '../../businesses/businesses.thread.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'
import { mix } from './hash.ts'

/** The identifiers of a file up to here are looked up one by one; for a larger one it is learnt first which can be known at all. */
const LOOKED_UP_ONE_BY_ONE_BYTES = 1_000_000
const PAGE = 10_000

export type KnownValues = {
  /** Whether records could hold an identifier of this hash. False is certain. */
  mayHold(hash: Hash): boolean
  /** One that is do not contact among them, if there is one. */
  holders(kind: IdentifierKind, normalized: string): Promise<Holder[]>
}

/**
 * What the tenant's records hold, asked for millions of identifiers of a file: a query for each would take longer than all else, so for
 * a file that is not small a filter of what is known is built once, in bounded memory, and only what passes it is looked up.
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
  for (let after: IdentifierPlace | undefined; ; ) {
    const page = await listIdentifiers(db, { tenantId, after, limit: PAGE })
    for (const { kind, normalized } of page) if (normalized !== null) filter.add(mix(kind, normalized))
    after = page.at(-1)
    if (page.length < PAGE) return filter
  }
}
