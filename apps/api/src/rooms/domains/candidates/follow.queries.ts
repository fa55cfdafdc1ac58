import { type FollowedEvent, findPosition, selectEventsAfter } from '../../../store/change/follow-audit.queries.ts'
import type { Db } from '../../../store/database.ts'

/** Name of the follower of this room. */
export const followerName = 'domains'

/** Events behind the stored position that are read. More than a follower leaves unstored when it derived nothing. */
const READ_BEHIND = 500

/**
 * Returns true if changes of records or observations are not derived yet. Events without such a change may lie behind the stored position, because a
 * follower that derived nothing stores its position later.
 */
export async function isFollowerBehind(db: Db, tenantId: string): Promise<boolean> {
  const position = await findPosition(db, { tenantId, follower: followerName })
  const events = await selectEventsAfter(db, { tenantId, after: position?.sequence ?? 0, limit: READ_BEHIND })
  return events.length === READ_BEHIND || events.some(isFollowed)
}

/** True for an event after which uses or candidates can differ. The follower's own events are not followed. */
export function isFollowed({ action, business_id: businessId, subject_type: type }: FollowedEvent): boolean {
  return action !== 'domain_candidate.derive' && (businessId !== null || type === 'dns_observation')
}

/** Returns the domains of the candidates with these ids. */
export async function selectCandidateDomains(db: Db, tenantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('domain_candidates')
    .select('domain')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .where('domain', '<>', '')
    .execute()
  return rows.map(({ domain }) => domain)
}

export async function selectObservedDomains(db: Db, tenantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('dns_observations')
    .select('domain')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
  return rows.flatMap(({ domain }) => domain ?? [])
}
