import type { UserActor } from '../../lib/actor.ts'
import { type Quota, type QuotaOwner, usedOf } from '../../store/change/quota.ts'
import type { LimitContext, Room, UsedLimit } from '../room.ts'
import type { Limit, Limits } from './limits.schema.ts'

/**
 * Returns the limits and quotas that the rooms declare, with the use of this person and of their tenant, first those of the person. Each quota is
 * counted along an index and up to its maximum, as in the change that enforces it, so the largest takes some milliseconds.
 */
export async function readLimits(
  rooms: readonly Room[],
  context: LimitContext,
  { tenantId, userId }: UserActor,
): Promise<Limits> {
  const asOf = context.store.clock().toISOString()
  const owner = { tenantId, userId, now: asOf }
  const items: Limit[] = []
  for (const { limits = [], quotas = [] } of rooms) {
    for (const limit of limits) items.push(toLimit(limit, await limit.read(context, owner)))
    for (const quota of quotas) items.push(await ofQuota(quota, context, owner))
  }
  return { items: items.toSorted((one, other) => (one.of === other.of ? 0 : one.of === 'person' ? -1 : 1)), asOf }
}

async function ofQuota(quota: Quota, { store }: LimitContext, owner: QuotaOwner): Promise<Limit> {
  return toLimit(quota, { used: await usedOf(store.reader, quota, owner), max: quota.max })
}

function toLimit(
  { name, label, of, remedy, per, unit }: Pick<UsedLimit, 'name' | 'label' | 'of' | 'remedy' | 'per' | 'unit'>,
  { used, max }: { used: number; max: number },
): Limit {
  return { name, label, of, per: per ?? null, unit: unit ?? 'things', used, max, sentence: remedy }
}
