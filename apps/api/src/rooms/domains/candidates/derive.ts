import { slicesOf } from '../../../lib/slices.ts'
import { change, type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { selectOpenFor } from './candidates.queries.ts'
import { selectNamedAs } from './facts.queries.ts'
import { type Refreshed, refreshCandidates } from './refresh-candidates.ts'
import { refreshUses } from './refresh-uses.ts'

/** Records per change. 25 records occupy the event loop for some milliseconds. */
const RECORDS_AT_ONCE = 25
/** Maximum number of other records whose candidates are derived again because one change affected their domains. */
const OTHERS_AT_MOST = 200
/** Maximum number of other records that are counted as left out. */
const COUNTED_AT_MOST = 10_000

/**
 * Derives the domain uses and the candidates of the given records. Also derives the candidates of other records that have one of the changed domains,
 * or a domain for which a candidate was opened or ended. Records above the maximum are left out until their next change or the job for all records;
 * an event records their number. `domains`: further changed domains.
 */
export async function deriveFor(
  store: Store,
  tenantId: string,
  ids: readonly string[],
  domains: readonly string[] = [],
): Promise<void> {
  const changed = new Set(domains)
  for (const part of slicesOf(ids, RECORDS_AT_ONCE))
    for (const domain of await refreshUses(store, tenantId, part)) changed.add(domain)
  const open = await selectOpenFor(store.reader, tenantId, [...changed], COUNTED_AT_MOST)
  const named = await selectNamedAs(store.reader, tenantId, [...changed], COUNTED_AT_MOST)
  const concerned = new Set([...ids, ...open.slice(0, OTHERS_AT_MOST), ...named.slice(0, OTHERS_AT_MOST)])
  const moved = new Set<string>()
  await deriveIn(store, tenantId, [...concerned], moved)
  const affected = await selectOpenFor(store.reader, tenantId, [...moved], COUNTED_AT_MOST)
  const further = affected.slice(0, OTHERS_AT_MOST)
  await deriveIn(store, tenantId, further)
  const leftOut = new Set([...open, ...named, ...affected])
  for (const id of [...concerned, ...further]) leftOut.delete(id)
  if (leftOut.size > 0) await recordLeftOut(store, tenantId, leftOut.size)
}

async function recordLeftOut(store: Store, tenantId: string, leftOut: number): Promise<void> {
  const options = { permission: null, action: 'domain_candidate.derive' } as const
  await change(store, systemActor('domains', tenantId), options, (tx) =>
    tx.record({ subject: allCandidatesOf(tenantId), after: { leftOut } }),
  )
}

async function deriveIn(
  store: Store,
  tenantId: string,
  ids: readonly string[],
  moved: Set<string> = new Set(),
): Promise<void> {
  for (const part of slicesOf(ids, RECORDS_AT_ONCE)) {
    const options = { permission: null, action: 'domain_candidate.derive' } as const
    await change(store, systemActor('domains', tenantId), options, (tx) => deriveCandidates(tx, part, moved))
  }
}

/** Refreshes the candidates of the given records in one change, with one event if any candidate changed. `moved`: as in `refreshCandidates`. */
export async function deriveCandidates(
  tx: Tx,
  ids: readonly string[],
  moved: Set<string> = new Set(),
): Promise<Refreshed | Unchanged<Refreshed>> {
  const refreshed = await refreshCandidates(tx, ids, moved)
  if (refreshed.opened + refreshed.updated + refreshed.superseded === 0) return unchanged(refreshed)
  await tx.record({
    action: 'domain_candidate.derive',
    subject: allCandidatesOf(tx.actor.tenantId),
    after: { ...refreshed },
  })
  return refreshed
}

/**
 * Returns the subject of an event about candidates of many records. Its id is that of the tenant. Its type is not `tenant`, because the list of security
 * events contains all events about the tenant itself.
 */
export function allCandidatesOf(tenantId: string): { type: 'domain_candidate'; id: string } {
  return { type: 'domain_candidate', id: tenantId }
}
