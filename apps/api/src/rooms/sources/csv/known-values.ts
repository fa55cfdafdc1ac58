import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { findHolders, type Holder, type IdentifierPlace, listIdentifiers } from '../../businesses/businesses.thread.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'
import { type Hash, mix } from './hash.ts'

/** The identifiers of a file up to here are looked up one by one; for a larger one it is learnt first which can be known at all. */
const LOOKED_UP_ONE_BY_ONE_BYTES = 1_000_000
const PAGE = 10_000
/** Bits of the filter for each identifier that is known, at the least: of those that are not, one in some hundreds is looked up in vain. */
const BITS_EACH = 12
const PROBES = 5
const MAX_FILTER_BITS = 2 ** 27

export type KnownValues = {
  /** Whether records could hold an identifier of this hash. False is certain. */
  mayHold(hash: Hash): boolean
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
    holders: (kind, normalized) => findHolders(db, { tenantId, kind, normalized }),
  }
}

async function fillFilter(db: Kysely<Database>, tenantId: string): Promise<Filter> {
  const { count } = await db
    .selectFrom('business_identifiers')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const filter = createFilter(count)
  for (let after: IdentifierPlace | undefined; ; ) {
    const page = await listIdentifiers(db, { tenantId, after, limit: PAGE })
    for (const { kind, normalized } of page) if (normalized !== null) filter.add(mix(kind, normalized))
    after = page.at(-1)
    if (page.length < PAGE) return filter
  }
}

type Filter = { add(hash: Hash): void; mayHold(hash: Hash): boolean }

/** A Bloom filter. Its size is a power of two, so that a place in it is a few bits of the hash. */
function createFilter(expected: number): Filter {
  const bits = Math.min(MAX_FILTER_BITS, 2 ** Math.ceil(Math.log2(Math.max(8_192, expected * BITS_EACH))))
  const bytes = new Uint8Array(bits / 8)
  const last = bits - 1
  return {
    add([high, low]) {
      for (let probe = 0; probe < PROBES; probe++) {
        const place = (high + Math.imul(probe, low)) & last
        bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7))
      }
    },
    mayHold([high, low]) {
      for (let probe = 0; probe < PROBES; probe++) {
        const place = (high + Math.imul(probe, low)) & last
        if (((bytes[place >> 3] ?? 0) & (1 << (place & 7))) === 0) return false
      }
      return true
    },
  }
}
