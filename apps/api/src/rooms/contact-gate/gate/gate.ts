import { type Kysely, sql } from 'kysely'
import { slicesOf } from '../../../lib/slices.ts'
import { unique } from '../../../lib/unique.ts'
import type { Database } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { Keys } from '../../../store/files/keys.ts'
import type { FoundValue } from '../../normalization/normalization.ts'
import { type ContactValue, entryKeysFor, readingsOfMatches, recordKeysOf } from '../keys/contact-keys.rules.ts'
import { keyHasher } from '../keys/key-hash.ts'
import { countDecisions } from './gate-decisions.ts'

/** Access that the gate needs: a transaction, or a reader together with the store's keys. */
export type GateReader = { db: Kysely<Database>; keys: Keys }

/** A match. `index`: position of the value in the given list. `text`: the part of the value that was read, and `read`: how it was read. */
export type GateMatch = { index: number; suppressionId: string } & Pick<FoundValue, 'read'> & { text: string }

/** Maximum number of keys per query. A business has only a few. */
const KEYS_A_QUESTION = 2_000

const liveEntries = prepared<{ tenantId: string; keys: string }>()(
  (_db, param) => sql<{ key: string; suppression_id: string }>`
    SELECT key, suppression_id FROM suppression_keys
    WHERE tenant_id = ${param('tenantId')} AND key IN ${inList(param('keys'))} AND live = 1
    UNION ALL
    SELECT '', '' WHERE EXISTS (SELECT 1 FROM suppressions WHERE tenant_id = ${param('tenantId')} AND tombstone = 1 LIMIT 1)`,
)

/**
 * The gate (Global rule 5, Phase 12 §5). Returns which of these values an active entry of the tenant forbids to contact, each with the entry. Every
 * caller must call it before it writes a record and before values leave the product. It fails closed: every failure is thrown and stops the caller.
 * An empty result therefore means that the keys were read and none matches. `keys`: the keys of each value, if the caller already has them.
 */
export async function gate(
  asker: GateReader,
  tenantId: string,
  values: readonly ContactValue[],
  keys: readonly (readonly string[])[] = values.map(recordKeysOf),
): Promise<GateMatch[]> {
  try {
    const matches = await decide(asker, tenantId, values, keys)
    const matched = new Set(matches.map(({ index }) => index)).size
    countDecisions({ matched, clear: values.length - matched })
    return matches
  } catch (error) {
    countDecisions({ failed: values.length })
    throw error
  }
}

async function decide(
  asker: GateReader,
  tenantId: string,
  values: readonly ContactValue[],
  recordKeys: readonly (readonly string[])[],
): Promise<GateMatch[]> {
  if (recordKeys.length === 0) return []
  const entryKeys = recordKeys.map((keys) => keys.flatMap(entryKeysFor))
  const found = await lookUp(asker, tenantId, unique(entryKeys.flat()))
  if (found.length === 0) return []
  const askedBy = new Map<string, number[]>()
  entryKeys.forEach((keys, index) => {
    for (const key of keys) {
      const known = askedBy.get(key)
      if (known === undefined) askedBy.set(key, [index])
      else if (known.at(-1) !== index) known.push(index)
    }
  })
  // Two keys of one value can find the same tombstone. They count as a single match.
  const matches = found.flatMap(({ key, suppressionId }) =>
    (askedBy.get(key) ?? []).map((index) => [`${index} ${suppressionId}`, { index, suppressionId, key }] as const),
  )
  const readingOf = values.map(readingsOfMatches)
  return [...new Map(matches).values()].map(({ index, suppressionId, key }) => ({
    index,
    suppressionId,
    ...(readingOf[index]?.(key) ?? { text: '', read: 'plain' as const }),
  }))
}

/** True if the tenant has any active entry. For callers with millions of values. Fails closed, as `gate` does. */
export async function hasLiveEntries(db: Kysely<Database>, tenantId: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM suppression_keys WHERE tenant_id = ${tenantId} AND live = 1 LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Returns the active entries of these keys. Tombstones are found by the hash of each key, which is computed only if the tenant has tombstones. */
async function lookUp(
  { db, keys: storeKeys }: GateReader,
  tenantId: string,
  keys: readonly string[],
): Promise<{ key: string; suppressionId: string }[]> {
  const found: { key: string; suppressionId: string }[] = []
  for (const part of slicesOf(keys, KEYS_A_QUESTION)) {
    let hasTombstones = false
    for (const row of await liveEntries(db, { tenantId, keys: JSON.stringify(part) })) {
      if (row.key === '') hasTombstones = true
      else found.push({ key: row.key, suppressionId: row.suppression_id })
    }
    if (!hasTombstones) continue
    const hash = keyHasher(storeKeys, tenantId)
    const plain = new Map(part.map((key) => [hash(key), key]))
    for (const row of await liveEntries(db, { tenantId, keys: JSON.stringify([...plain.keys()]) })) {
      const key = plain.get(row.key)
      if (key !== undefined) found.push({ key, suppressionId: row.suppression_id })
    }
  }
  return found
}
