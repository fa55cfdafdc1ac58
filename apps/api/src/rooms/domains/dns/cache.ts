import type { Tx } from '../../../store/change/change.ts'
import { readOwnerName, SUFFIX_LIST_VERSION, unitOf } from '../../normalization/normalization.ts'
import type { DnsObservationTable } from '../domains.table.ts'
import {
  type CacheKey,
  countEntries,
  deleteEntry,
  deleteLeastUsed,
  findEntry,
  nextUse,
  saveEntry,
  selectOlderEntries,
  touchEntry,
} from './cache.queries.ts'

/*
 * The cache of DNS answers (specification, Phase 7 §4). It maps tenant, name, record type and resolver policy to an observation. A cache hit records
 * no new check. Observations that people recorded, failures and truncated answers are never cached.
 */

const MAX_CACHE_ENTRIES = 10_000

/**
 * Returns the id of the cached observation for this question. Deletes the entry instead if it has expired, or if the current suffix list assigns its
 * name to another domain.
 */
export async function findCached(tx: Tx, key: CacheKey): Promise<string | undefined> {
  const { tenantId } = tx.actor
  const entry = await findEntry(tx.db, tenantId, key)
  if (entry === undefined) return undefined
  const isSameDomain =
    entry.suffix_list_version === SUFFIX_LIST_VERSION || unitOf(readOwnerName(key.name)) === entry.domain
  if (entry.expires_at <= tx.at || !isSameDomain) {
    await deleteEntry(tx.db, tenantId, key)
    return undefined
  }
  await touchEntry(tx.db, tenantId, key, await nextUse(tx.db, tenantId))
  return entry.observation_id
}

/** Returns true if the observation may answer later questions. */
function isCacheable({
  origin,
  status,
  ttl,
  is_partial,
}: Pick<DnsObservationTable, 'origin' | 'status' | 'ttl' | 'is_partial'>): boolean {
  const isAnswer = status === 'resolved' || status === 'no_data' || status === 'nxdomain'
  return origin === 'adapter' && isAnswer && is_partial === 0 && ttl !== null && ttl > 0
}

/** Caches an answer. If the cache is then too large, deletes the least recently used entries. */
export async function putCached(tx: Tx, observation: DnsObservationTable, max = MAX_CACHE_ENTRIES): Promise<void> {
  const { id, name, domain, kind, ttl, observed_at: observedAt, policy_version: policyVersion } = observation
  if (!isCacheable(observation) || name === null || domain === null || observedAt === null || ttl === null) return
  const { tenantId } = tx.actor
  await saveEntry(tx.db, {
    tenant_id: tenantId,
    name,
    kind,
    class: 'IN',
    policy_version: policyVersion,
    observation_id: id,
    domain,
    suffix_list_version: observation.suffix_list_version,
    expires_at: new Date(Date.parse(observedAt) + ttl * 1_000).toISOString(),
    used: await nextUse(tx.db, tenantId),
  })
  const excess = (await countEntries(tx.db, tenantId)) - max
  if (excess > 0) await deleteLeastUsed(tx.db, tenantId, excess)
}

/** Deletes the entries whose names the current suffix list assigns to another domain. Returns the number of deleted entries. */
export async function deleteOtherwiseRead(tx: Tx): Promise<number> {
  const { tenantId } = tx.actor
  let deleted = 0
  for (const entry of await selectOlderEntries(tx.db, tenantId, SUFFIX_LIST_VERSION)) {
    if (unitOf(readOwnerName(entry.name)) === entry.domain) continue
    await deleteEntry(tx.db, tenantId, { name: entry.name, kind: entry.kind, policyVersion: entry.policy_version })
    deleted += 1
  }
  return deleted
}
