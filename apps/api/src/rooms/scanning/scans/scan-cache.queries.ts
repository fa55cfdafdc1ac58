import type { Db } from '../../../store/database.ts'
import { runningBounds } from '../bounds.ts'

type Key = { tenantId: string; businessId: string; urlHash: string }

export async function findCached(db: Db, { tenantId, businessId, urlHash }: Key): Promise<string | undefined> {
  const row = await db
    .selectFrom('scan_cache')
    .select('scan_id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('url_hash', '=', urlHash)
    .executeTakeFirst()
  return row?.scan_id
}

export async function touchCached(db: Db, { tenantId, businessId, urlHash, at }: Key & { at: string }): Promise<void> {
  await db
    .updateTable('scan_cache')
    .set({ used_at: at })
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('url_hash', '=', urlHash)
    .execute()
}

export async function deleteCached(db: Db, { tenantId, businessId, urlHash }: Key): Promise<void> {
  await db
    .deleteFrom('scan_cache')
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('url_hash', '=', urlHash)
    .execute()
}

/** Caches a scan. A full cache drops its least recently used entry; the entry's scan stays. */
export async function putCached(
  db: Db,
  { tenantId, businessId, urlHash, scanId, at }: Key & { scanId: string; at: string },
  maxEntries: number = runningBounds.cacheEntries,
): Promise<void> {
  await db
    .insertInto('scan_cache')
    .values({ tenant_id: tenantId, business_id: businessId, url_hash: urlHash, scan_id: scanId, used_at: at })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'business_id', 'url_hash']).doUpdateSet({ scan_id: scanId, used_at: at }),
    )
    .execute()
  const { count } = await db
    .selectFrom('scan_cache')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  if (count <= maxEntries) return
  const leaving = await db
    .selectFrom('scan_cache')
    .select(['business_id', 'url_hash'])
    .where('tenant_id', '=', tenantId)
    .orderBy('used_at')
    .limit(count - maxEntries)
    .execute()
  for (const { business_id: ofBusiness, url_hash } of leaving)
    await deleteCached(db, { tenantId, businessId: ofBusiness, urlHash: url_hash })
}
