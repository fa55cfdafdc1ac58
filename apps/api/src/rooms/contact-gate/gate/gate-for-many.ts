import { sql } from 'kysely'
import { createTextFilter, hashesOf } from '../../../lib/text-filter.ts'
import { dataVersion } from '../../../store/engine/data-version.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import {
  type ContactValue,
  entryKeysFor,
  exactKeysFor,
  hasOneReading,
  matchableValuesOf,
  type NormalizedContact,
  recordKeysOfNormalized,
} from '../keys/contact-keys.rules.ts'
import { isHashed, keyHasher } from '../keys/key-hash.ts'
import { createEntryFilter } from './entry-filter.rules.ts'
import { type GateMatch, type GateReader, gate } from './gate.ts'

/** Number of keys per query. */
const PAGE = 10_000

const countKeys = prepared<{ tenantId: string }>()(
  (_db, param) => sql<{ n: number }>`SELECT count(*) AS n FROM suppression_keys WHERE tenant_id = ${param('tenantId')}`,
)
const liveKeysAfter = prepared<{ tenantId: string; after: string; limit: number }>()(
  (_db, param) => sql<{ key: string }>`
    SELECT key FROM suppression_keys
    WHERE tenant_id = ${param('tenantId')} AND key > ${param('after')} AND live = 1 ORDER BY key LIMIT ${param('limit')}`,
)

export type GateForMany = {
  /** Reads changed entries. Call it before each batch of values; a new entry takes effect in the first batch after its commit. */
  prepare(): Promise<void>
  /** Returns whether an active entry may match, from memory. False is certain. */
  mayMatch(value: NormalizedContact): boolean
  /** Returns the same result as `gate` for these values. */
  ask(values: readonly ContactValue[]): Promise<GateMatch[]>
}

/**
 * Creates a gate for a caller with millions of values and its own connection. It returns the same results as `gate`, but queries the store only for
 * values that an active entry could match. A filter in memory contains at least all active keys of the tenant, with some 44 bits each. It can also
 * contain removed keys, for which `ask` then finds no match. Fails closed, as `gate` does.
 */
export function gateForMany(asker: GateReader, tenantId: string): GateForMany {
  let seenVersion = -1
  let entries: LiveEntries | undefined
  return {
    async prepare() {
      // The version is read before the keys, so that the next call notices a commit in between.
      const version = await dataVersion(asker.db)
      if (version === seenVersion) return
      // The keys are counted before they are read, so that the next call notices a key that was inserted in between.
      const [{ n: count } = { n: 0 }] = await countKeys(asker.db, { tenantId })
      if (count !== entries?.count) entries = await readEntries(asker, tenantId, count)
      seenVersion = version
    },
    mayMatch: (value) => entries?.mayMatch(value) ?? true,
    ask: (values) => gate(asker, tenantId, values),
  }
}

/**
 * The keys in memory. `count`: number of all keys of the tenant, including ended ones. Keys are never deleted or made active again, so an equal count
 * means that no key was added.
 */
type LiveEntries = { count: number; mayMatch(value: NormalizedContact): boolean }

async function readEntries(asker: GateReader, tenantId: string, count: number): Promise<LiveEntries> {
  const keys = createTextFilter(count)
  const places = createEntryFilter(count)
  let hasHashes = false
  let after = ''
  for (;;) {
    const rows = await liveKeysAfter(asker.db, { tenantId, after, limit: PAGE })
    for (const { key } of rows) {
      keys.add(hashesOf(key))
      if (isHashed(key)) hasHashes = true
      else for (const place of matchableValuesOf(key)) places.add(place)
    }
    const last = rows.at(-1)?.key
    if (last === undefined || rows.length < PAGE) break
    after = last
  }
  const mayHold = (key: string) => keys.mayHold(hashesOf(key))
  const mayHoldHash = hasHashes ? createHashCheck(keyHasher(asker.keys, tenantId), mayHold) : () => false
  return {
    count,
    mayMatch(value) {
      const { normalized } = value
      const isReached = normalized === null || !hasOneReading(value) || places.mayMatch(normalized)
      if (!isReached && !hasHashes) return false
      return recordKeysOfNormalized(value).some(
        (key) => (isReached && entryKeysFor(key).some(mayHold)) || (hasHashes && exactKeysFor(key).some(mayHoldHash)),
      )
    },
  }
}

/** Creates a check that caches its last result, because an address and the website next to it usually have the same host. */
function createHashCheck(hash: (key: string) => string, mayHold: (key: string) => boolean): (key: string) => boolean {
  let last: { key: string; isHeld: boolean } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, isHeld: mayHold(hash(key)) }
    return last.isHeld
  }
}
