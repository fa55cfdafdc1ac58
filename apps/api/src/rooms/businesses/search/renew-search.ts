import type { SweepContext } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { refreshDoubts, refreshSearchText } from '../family/merge-records.ts'
import { indexFewAtOnce, type SearchTx } from './index-text.sqlite.ts'

/*
 * Derives the search data and the doubts of stored records again after their rules changed. A migration that comes with the change lists the tenants in
 * `business_search_renewals`; each row has the last record that was renewed, so that a crash loses no progress.
 */

/** Duration after which a step ends, because other writes wait for it. */
const STEP_MS = 5
/** Number of changed texts after which a step ends. The index deletes an old text physically, which takes some milliseconds. */
const MAX_TEXTS_A_STEP = 4

/** Renews the search data of a listed tenant. Without one it reads one row. */
export const searchRenewal: Upkeep<{ store: Store }> = {
  name: 'renew search data',
  everyMs: 5_000,
  limit: 100,
  forTenant: renewSearch,
}

/** Returns true while records of the tenant may have search data of older rules. They are then found by literal spellings only. */
export async function isSearchRenewing(store: Pick<Store, 'reader'>, tenantId: string): Promise<boolean> {
  const row = await store.reader
    .selectFrom('business_search_renewals')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Renews the search data of the tenant, in steps. */
export async function renewSearch({ store, tenantId, limit, isStopped }: SweepContext): Promise<void> {
  while (!isStopped() && (await isSearchRenewing(store, tenantId))) await renewStep(store, tenantId, limit)
}

/** Renews the next records of a tenant. Removes the tenant from the list after its last record. */
async function renewStep({ write }: Pick<Store, 'write'>, tenantId: string, limit: number): Promise<void> {
  await write({ tenantId }, async (db) => {
    const beforeCommit: (() => Promise<void>)[] = []
    const tx: SearchTx = { db, actor: { tenantId }, beforeCommit: (work) => void beforeCommit.push(work) }
    await renewNext(tx, limit, () => beforeCommit.length)
    return { keep: true, value: undefined, beforeCommit }
  })
}

async function renewNext(tx: SearchTx, limit: number, changedTexts: () => number): Promise<void> {
  const { db } = tx
  const { tenantId } = tx.actor
  const began = performance.now()
  const { after_id } = await db
    .selectFrom('business_search_renewals')
    .select('after_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>', after_id)
    .orderBy('id')
    .limit(limit)
    .execute()
  let last: string | undefined
  for (const { id } of rows) {
    await refreshSearchText(tx, id)
    await refreshDoubts(tx, id)
    last = id
    if (performance.now() - began > STEP_MS || changedTexts() >= MAX_TEXTS_A_STEP) break
  }
  if (changedTexts() > 0) indexFewAtOnce(tx)
  if (last === undefined) await db.deleteFrom('business_search_renewals').where('tenant_id', '=', tenantId).execute()
  else
    await db.updateTable('business_search_renewals').set({ after_id: last }).where('tenant_id', '=', tenantId).execute()
}
