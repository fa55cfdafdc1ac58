import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { findHolders, type Holder, listIdentifiers } from '../../businesses/businesses.ts'
import type { FoundIdentifier } from './check-row.rules.ts'
import { type Hash, mix } from './hash.ts'

/** So many identifiers are looked up one by one; a file with more of them first learns which can be known at all. */
const LOOKED_UP_ONE_BY_ONE = 5_000
const PAGE = 10_000
/** Bits of the filter for each identifier that is known: of those that are not, one in a hundred is looked up in vain. */
const BITS_EACH = 10
const PROBES = 4
const MAX_FILTER_BYTES = 16 * 1024 * 1024

export type KnownValues = {
  /** Whether records could hold an identifier of this hash. False is certain. */
  mayHold(hash: Hash): boolean
  /** To be asked before each piece of a file. */
  prepare(): Promise<void>
  holders(identifier: FoundIdentifier): Promise<Holder[]>
}

/**
 * What the tenant's records hold, asked for millions of identifiers of a file: a query for each would take longer than all else, so past
 * a few thousand a filter of what is known is built once, in bounded memory, and only what passes it is looked up.
 */
export function createKnownValues(db: Kysely<Database>, tenantId: string): KnownValues {
  let asked = 0
  let filter: Filter | undefined
  return {
    mayHold(hash) {
      asked += 1
      return filter === undefined || filter.mayHold(hash)
    },
    async prepare() {
      if (asked > LOOKED_UP_ONE_BY_ONE) filter ??= await fillFilter(db, tenantId)
    },
    holders: ({ kind, normalized }) => findHolders(db, { tenantId, kind, normalized }),
  }
}

async function fillFilter(db: Kysely<Database>, tenantId: string): Promise<Filter> {
  const { count } = await db
    .selectFrom('business_identifiers')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const filter = createFilter(count)
  for (const kind of ['email', 'phone', 'domain'] as const) {
    let after = ''
    for (;;) {
      const values = await listIdentifiers(db, { tenantId, kind, after, limit: PAGE })
      for (const value of values) filter.add(mix(kind, value))
      const last = values.at(-1)
      if (last === undefined || values.length < PAGE) break
      after = last
    }
  }
  return filter
}

type Filter = { add(hash: Hash): void; mayHold(hash: Hash): boolean }

/** A Bloom filter. */
function createFilter(expected: number): Filter {
  const bytes = Math.min(MAX_FILTER_BYTES, Math.max(1_024, Math.ceil((expected * BITS_EACH) / 8)))
  const bits = new Uint8Array(bytes)
  const size = bytes * 8
  return {
    add([high, low]) {
      for (let probe = 0; probe < PROBES; probe++) {
        const place = (high + probe * low) % size
        bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
      }
    },
    mayHold([high, low]) {
      for (let probe = 0; probe < PROBES; probe++) {
        const place = (high + probe * low) % size
        if (((bits[place >> 3] ?? 0) & (1 << (place & 7))) === 0) return false
      }
      return true
    },
  }
}
