import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { refreshSearchText } from '../family/merge-records.ts'
import { indexFewAtOnce, type SearchTx } from './index-text.sqlite.ts'

/*
 * Derives the search data of stored records again after its rules changed. A migration that comes with the change lists the tenants in
 * `business_search_renewals`; each row has the last record that was renewed, so that a crash loses no progress.
 */

const LOOK_EVERY_MS = 5_000
/** Duration after which a step ends, because other writes wait for it. */
const STEP_MS = 5
const MAX_RECORDS_A_STEP = 100
/** Number of changed texts after which a step ends. The index deletes an old text physically, which takes some milliseconds. */
const MAX_TEXTS_A_STEP = 4
/** Pause after a step, as a multiple of its duration. */
const REST = 3

/** Starts the loop that renews search data. Without tenants to renew it reads one row every five seconds. */
export function startRenewingSearch(store: Store, log: Pick<Logger, 'error'>): Loop {
  return everyInOneProcess(store, {
    name: 'search renewal',
    ms: LOOK_EVERY_MS,
    work: (isStopped) => renewSearch(store, isStopped),
    log,
    failed: 'failed to renew the search data of records',
  })
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

/** Renews the search data of all listed tenants. It pauses between steps, so that the changes of people are written meanwhile. */
export async function renewSearch(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  while (!isStopped()) {
    const next = await store.reader.selectFrom('business_search_renewals').selectAll().limit(1).executeTakeFirst()
    if (next === undefined) return
    await delay(REST * (await renewStep(store, next.tenant_id)))
  }
}

/**
 * Renews the next records of a tenant. Returns the time in ms for which it used the event loop, which does not include the wait for the disk. Removes
 * the tenant from the list after its last record.
 */
async function renewStep({ write }: Pick<Store, 'write'>, tenantId: string): Promise<number> {
  let usedMs = 0
  const timed = async (work: () => Promise<void>) => {
    const began = performance.now()
    await work()
    usedMs += performance.now() - began
  }
  await write({ tenantId }, async (db) => {
    const beforeCommit: (() => Promise<void>)[] = []
    // The commit of a step can write the index, which takes longer than the step.
    const tx: SearchTx = { db, actor: { tenantId }, beforeCommit: (work) => void beforeCommit.push(() => timed(work)) }
    await timed(() => renewNext(tx, () => beforeCommit.length))
    return { keep: true, value: undefined, beforeCommit }
  })
  return usedMs
}

async function renewNext(tx: SearchTx, changedTexts: () => number): Promise<void> {
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
    .limit(MAX_RECORDS_A_STEP)
    .execute()
  let last: string | undefined
  for (const { id } of rows) {
    await refreshSearchText(tx, id)
    last = id
    if (performance.now() - began > STEP_MS || changedTexts() >= MAX_TEXTS_A_STEP) break
  }
  if (changedTexts() > 0) indexFewAtOnce(tx)
  if (last === undefined) await db.deleteFrom('business_search_renewals').where('tenant_id', '=', tenantId).execute()
  else
    await db.updateTable('business_search_renewals').set({ after_id: last }).where('tenant_id', '=', tenantId).execute()
}
