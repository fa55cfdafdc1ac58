import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Loop } from '../../../lib/every.ts'
import { slicesOf } from '../../../lib/slices.ts'
import { followStore } from '../../../store/change/follow-store.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { hashFacts } from './review-fingerprint.ts'
import { endOfTerm } from './review-state.rules.ts'

type Db = Kysely<Database>

/** Interval at which reached dates are looked up while nothing else is written. */
const LOOK_FOR_DUE_EVERY_MS = 5_000
/** Maximum number of events and dates that are processed before the position is stored. */
const FOLLOWED_AT_ONCE = 200
/** Records per commit. 25 records occupy the event loop for some milliseconds. */
const RECORDS_AT_ONCE = 25

/** Actions that make a review outdated even if the facts of the record are unchanged: merges and reversals. */
const outdating = ['matching.merge', 'matching.reverse']

/**
 * Starts the loop that marks reviews as outdated. It follows the audit, as matching and scoring do, because creates and edits do not mark reviews
 * themselves. The position is stored, so a crash loses no change. The loop also ends deferrals and review terms when their date is reached.
 */
export function startFollowingReviews(store: Store, log: Pick<Logger, 'error'>): Loop {
  return followStore(store, {
    name: 'review follower',
    alsoEveryMs: LOOK_FOR_DUE_EVERY_MS,
    work: (isStopped) => followReviews(store, isStopped),
    log,
    failed: 'following changes of reviewed records failed',
  })
}

/** Processes, for every tenant with reviews, the changes up to the newest event and all reached dates. */
export async function followReviews(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  await applyTerms(store, isStopped)
  const positions = await store.reader.selectFrom('review_positions').selectAll().execute()
  for (const { tenant_id: tenantId, sequence } of positions) {
    if (isStopped()) return
    await followTenant(store, tenantId, sequence, isStopped)
  }
  await makeDue(store, isStopped)
}

type Event = { sequence: number; action: string; business_id: string | null }

async function followTenant(store: Store, tenantId: string, from: number, isStopped: () => boolean): Promise<void> {
  let position = from
  while (!isStopped()) {
    const events: Event[] = await store.reader
      .selectFrom('audit_events')
      .select(['sequence', 'action', 'business_id'])
      .where('tenant_id', '=', tenantId)
      .where('sequence', '>', position)
      .orderBy('sequence')
      .limit(FOLLOWED_AT_ONCE)
      .execute()
    const idsOf = (wanted: readonly Event[]) => [...new Set(wanted.flatMap(({ business_id: id }) => id ?? []))]
    const named = idsOf(events.filter(({ action }) => action !== 'review.decide'))
    const forced = new Set(idsOf(events.filter(({ action }) => outdating.includes(action))))
    const outdated = await findOutdated(store, tenantId, named, forced)
    position = events.at(-1)?.sequence ?? position
    if (outdated.length > 0 || events.length === FOLLOWED_AT_ONCE)
      await writeDerived(store, tenantId, async (db) => {
        await outdate(db, tenantId, outdated)
        await db.updateTable('review_positions').set({ sequence: position }).where('tenant_id', '=', tenantId).execute()
      })
    if (events.length < FOLLOWED_AT_ONCE) return
  }
}

/** A record whose review is outdated, with the review that was current when this was found. If there is a newer review, it is left unchanged. */
type Outdated = { id: string; reviewId: string }

async function findOutdated(
  store: Store,
  tenantId: string,
  ids: readonly string[],
  forced: ReadonlySet<string>,
): Promise<Outdated[]> {
  if (ids.length === 0) return []
  const breathe = createBreather()
  const { rows } = await sql<{ id: string; review_id: string; facts_hash: string; member: string }>`
    WITH RECURSIVE up (id, member) AS (
      SELECT value, value FROM ${elementsOf(ids, 'asked')}
      UNION
      SELECT b.merged_into, up.member FROM up ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = up.id WHERE b.merged_into IS NOT NULL
    )
    SELECT r.business_id AS id, r.review_id, r.facts_hash, up.member FROM up
      ${thenJoin} review_states r ON r.tenant_id = ${tenantId} AND r.business_id = up.id
    WHERE r.state IN ('verified', 'rejected')`.execute(store.reader)
  const outdated = new Map<string, string>()
  const checked = new Set<string>()
  for (const { id, review_id: reviewId, facts_hash: hash, member } of rows) {
    if (forced.has(member)) outdated.set(id, reviewId)
    else if (!checked.has(id)) {
      checked.add(id)
      const business = await getBusiness(store.reader, tenantId, id)
      if ((await hashFacts(store.reader, tenantId, business)) !== hash) outdated.set(id, reviewId)
      await breathe()
    }
  }
  return [...outdated].map(([id, reviewId]) => ({ id, reviewId }))
}

async function outdate(db: Db, tenantId: string, outdated: readonly Outdated[]): Promise<void> {
  for (const { id, reviewId } of outdated)
    await db
      .updateTable('review_states')
      .set({ state: 'outdated', is_due: 1, due_from: null })
      .where('tenant_id', '=', tenantId)
      .where('business_id', '=', id)
      .where('review_id', '=', reviewId)
      .where('state', 'in', ['verified', 'rejected'])
      .execute()
}

/** Ends deferrals and review terms whose date was reached. A verified or rejected record becomes outdated; a deferred record becomes due. */
async function makeDue(store: Store, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const now = store.clock().toISOString()
    const rows = await store.reader
      .selectFrom('review_states')
      .select(['tenant_id', 'business_id'])
      .where('is_due', '=', sql.lit(0))
      .where('due_from', 'is not', null)
      .where('due_from', '<=', now)
      .orderBy('due_from')
      .limit(FOLLOWED_AT_ONCE)
      .execute()
    const byTenant = Map.groupBy(rows, ({ tenant_id }) => tenant_id)
    for (const [tenantId, due] of byTenant)
      for (const part of slicesOf(due, RECORDS_AT_ONCE)) {
        const ids = part.map(({ business_id }) => business_id)
        await writeDerived(store, tenantId, async (db) => {
          await db
            .updateTable('review_states')
            .set({
              is_due: 1,
              due_from: null,
              state: sql`CASE state WHEN 'deferred' THEN 'deferred' ELSE 'outdated' END`,
            })
            .where('tenant_id', '=', tenantId)
            .where('business_id', 'in', inList(ids))
            .where('is_due', '=', 0)
            .where('due_from', '<=', now)
            .execute()
        })
      }
    if (rows.length < FOLLOWED_AT_ONCE) return
  }
}

/** Applies a changed review term to earlier decisions. */
async function applyTerms(store: Store, isStopped: () => boolean): Promise<void> {
  const changed = await store.reader
    .selectFrom('review_settings')
    .select(['tenant_id', 'term_days', 'version'])
    .where('is_applied', '=', 0)
    .execute()
  for (const { tenant_id: tenantId, term_days: termDays, version } of changed) {
    let after = ''
    for (;;) {
      if (isStopped()) return
      const rows = await store.reader
        .selectFrom('review_states')
        .select(['business_id', 'decided_at'])
        .where('tenant_id', '=', tenantId)
        .where('business_id', '>', after)
        .where('state', 'in', ['verified', 'rejected'])
        .orderBy('business_id')
        .limit(FOLLOWED_AT_ONCE)
        .execute()
      const last = rows.at(-1)?.business_id
      const isEnd = rows.length < FOLLOWED_AT_ONCE
      await writeDerived(store, tenantId, async (db) => {
        for (const { business_id: id, decided_at: at } of rows)
          await db
            .updateTable('review_states')
            .set({ due_from: endOfTerm(at, termDays) })
            .where('tenant_id', '=', tenantId)
            .where('business_id', '=', id)
            .where('decided_at', '=', at)
            .where('state', 'in', ['verified', 'rejected'])
            .execute()
        if (isEnd)
          await db
            .updateTable('review_settings')
            .set({ is_applied: 1 })
            .where('tenant_id', '=', tenantId)
            .where('version', '=', version)
            .execute()
      })
      if (isEnd || last === undefined) break
      after = last
    }
  }
}
