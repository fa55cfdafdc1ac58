import type { CapabilityContext } from '../../room.ts'
import type { PurposeName } from '../purposes.ts'
import { findPurposeState } from './purpose-state.ts'

/**
 * The purposes that sources serve in a tenant. `because`: why there are none, as a clause; null if there are some, and if no adapter is loaded at all.
 */
export type Service = { served: readonly PurposeName[]; because: string | null }

/**
 * Returns which of these purposes are served: an enabled source with a loaded adapter and a closed circuit names them. A phase that needs a source is
 * operational only then. `what` completes the clause, such as "web pages".
 */
export async function readService(
  { store, tenantId, adapters }: CapabilityContext,
  purposes: readonly PurposeName[],
  what: string,
): Promise<Service> {
  if (adapters.items.length === 0) return { served: [], because: null }
  const view = { db: store.reader, tenantId, at: store.clock().toISOString(), adapters }
  const served: PurposeName[] = []
  let isStopped = false
  for (const purpose of purposes) {
    const source = await findPurposeState(view, purpose)
    if (source?.status !== 'enabled' || !source.isLoaded) continue
    if (source.openSince === null) served.push(purpose)
    else isStopped = true
  }
  if (served.length > 0) return { served, because: null }
  const because = isStopped ? `the source of ${what} was stopped after failures` : `no source of ${what} is enabled`
  return { served, because }
}
