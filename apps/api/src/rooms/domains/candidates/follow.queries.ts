import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import type { DomainFollowerTable } from '../domains.table.ts'
import { DERIVATION_VERSION } from './wanted.rules.ts'

type Db = Kysely<Database>

export const EVENTS_AT_ONCE = 100

export async function findFollower(db: Db, tenantId: string): Promise<DomainFollowerTable | undefined> {
  return db.selectFrom('domain_followers').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()
}

/**
 * Stores the audit position of a tenant. A tenant that is followed from its first event also gets the current derivation version, because no older
 * rules derived anything for it.
 */
export async function saveFollower(
  store: Store,
  tenantId: string,
  { sequence, isFromStart }: { sequence: number; isFromStart: boolean },
): Promise<void> {
  const list_version = isFromStart ? DERIVATION_VERSION : ''
  await store.write({ tenantId }, async (db) => {
    await db
      .insertInto('domain_followers')
      .values({ tenant_id: tenantId, sequence, list_version })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ sequence }))
      .execute()
    return { keep: true, value: undefined }
  })
}

export async function saveListVersion(db: Db, tenantId: string): Promise<void> {
  await db
    .updateTable('domain_followers')
    .set({ list_version: DERIVATION_VERSION })
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Returns true if the candidates were derived by another version. */
export async function wantsReevaluation(db: Db, tenantId: string): Promise<boolean> {
  const follower = await findFollower(db, tenantId)
  return follower !== undefined && follower.list_version !== DERIVATION_VERSION
}

export function selectEventsAfter(db: Db, tenantId: string, after: number, limit: number) {
  return db
    .selectFrom('audit_events')
    .select(['sequence', 'action', 'business_id', 'subject_type', 'subject_id'])
    .where('tenant_id', '=', tenantId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/**
 * Returns true if changes of records or observations are not derived yet. A page of events without such a change may lie behind the stored position,
 * because the follower stores its position only when it derived something or read a full page.
 */
export async function isFollowerBehind(db: Db, tenantId: string): Promise<boolean> {
  const follower = await findFollower(db, tenantId)
  const events = await selectEventsAfter(db, tenantId, follower?.sequence ?? 0, EVENTS_AT_ONCE)
  return events.length === EVENTS_AT_ONCE || events.some(isFollowed)
}

export type FollowedEvent = Awaited<ReturnType<typeof selectEventsAfter>>[number]

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
