import { selectBehind } from '../../store/change/follow-audit.queries.ts'
import { EVENTS_PER_READ, SAVE_AFTER_EVENTS, SAVE_AFTER_MS } from '../../store/change/follower-lane.ts'
import type { Store } from '../../store/store.ts'
import type { BackgroundWork } from './changes.schema.ts'

/** Changes after which a follower is behind. A follower that keeps up reads one page and stores its position late. */
const BEHIND_EVENTS = EVENTS_PER_READ + SAVE_AFTER_EVENTS
/** Age of the first change after which a follower is behind, for example because it fails and waits for its next attempt. */
const BEHIND_MS = 1.5 * SAVE_AFTER_MS

/**
 * Lists what is derived from the changes of a tenant and does not include the newest of them. Work that is done within moments is not listed, because
 * stored positions are that much older than the work.
 */
export async function readBackgroundWork(
  { reader, clock }: Pick<Store, 'reader' | 'clock'>,
  tenantId: string,
): Promise<BackgroundWork> {
  const old = new Date(clock().getTime() - BEHIND_MS).toISOString()
  const behind = await selectBehind(reader, { tenantId })
  return {
    items: behind
      .filter(({ events, since }) => events >= BEHIND_EVENTS || since < old)
      .map(({ follower, events, since }) => ({ name: follower, changes: events, since })),
  }
}
