import type { CapabilityContext } from '../../room.ts'
import type { PurposeName } from '../purposes.ts'
import { findPurposeState } from './purpose-state.ts'

/**
 * Returns the first of these purposes that an enabled source with a loaded adapter serves in this tenant; undefined without one. A phase that needs a
 * source is operational only then.
 */
export async function servedPurpose(
  { store, tenantId, adapters }: CapabilityContext,
  purposes: readonly PurposeName[],
): Promise<PurposeName | undefined> {
  if (adapters.items.length === 0) return undefined
  const view = { db: store.reader, tenantId, at: store.clock().toISOString(), adapters }
  for (const purpose of purposes) {
    const source = await findPurposeState(view, purpose)
    if (source?.status === 'enabled' && source.isLoaded) return purpose
  }
  return undefined
}
