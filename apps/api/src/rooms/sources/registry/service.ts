import type { CapabilityContext } from '../../room.ts'
import type { PurposeName } from '../purposes.ts'
import { findPurposeState, type PurposeState } from './purpose-state.ts'

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
  const causes = new Set<Cause>()
  for (const purpose of purposes) {
    const source = await findPurposeState(view, purpose)
    const canLoad = adapters.items.some(({ declaration }) => declaration.purposes.includes(purpose))
    const cause = causeOf(source, canLoad)
    if (cause === undefined) served.push(purpose)
    else causes.add(cause)
  }
  if (served.length > 0) return { served, because: null }
  const nearest = causesByNearness.find((cause) => causes.has(cause)) ?? 'not_loaded'
  return { served, because: causeWords[nearest](what) }
}

/** Causes for which no source serves a purpose, beginning with the one that is nearest to a served purpose. */
const causesByNearness = ['stopped', 'not_enabled', 'not_approved', 'not_registered', 'not_loaded'] as const
type Cause = (typeof causesByNearness)[number]

const causeWords: Readonly<Record<Cause, (what: string) => string>> = {
  stopped: (what) => `the source of ${what} was stopped after failures`,
  not_enabled: (what) => `a source of ${what} is approved but not enabled`,
  not_approved: (what) => `the adapter for ${what} is loaded, but no source of ${what} is approved`,
  not_registered: (what) => `the adapter for ${what} is loaded, but no source of ${what} is registered`,
  not_loaded: (what) => `no adapter for ${what} is loaded`,
}

/** Returns why this source, the nearest one of a purpose, does not serve it; undefined if it does. `canLoad`: a loaded adapter serves the purpose. */
function causeOf(source: PurposeState | undefined, canLoad: boolean): Cause | undefined {
  if (source === undefined) return canLoad ? 'not_registered' : 'not_loaded'
  if (!source.isLoaded) return 'not_loaded'
  switch (source.status) {
    case 'enabled':
      return source.openSince === null ? undefined : 'stopped'
    case 'approved':
    case 'lapsed':
      return 'not_enabled'
    default:
      return 'not_approved'
  }
}
