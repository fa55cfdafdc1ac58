import { sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import type { AuditFollower } from '../../../store/change/audit-follower.ts'
import type { FollowedEvent } from '../../../store/change/follow-audit.queries.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { runUpkeep } from '../../run-upkeep.ts'
import { applyReviewDates } from './review-dates.ts'
import { hashFacts } from './review-fingerprint.ts'
import { followerName } from './reviews.queries.ts'

/** Actions that make a review outdated even if the facts of the record are unchanged: merges and reversals. */
const outdating = ['matching.merge', 'matching.reverse']

/**
 * Marks reviews as outdated, because creates and edits do not mark them themselves. A tenant is followed from its first review on: `decideReview`
 * stores the first position.
 */
export function reviewFollower(store: Store): AuditFollower {
  return {
    name: followerName,
    wants: ({ action, business_id: id }) => id !== null && action !== 'review.decide',
    on: async (tenantId, events) => {
      const outdated = await findOutdated(store, tenantId, events)
      if (outdated.length === 0) return false
      await writeDerived(store, tenantId, (db) => outdate(db, tenantId, outdated))
      return true
    },
    begin: async (_tenantId, { cause }) => (cause === 'restored' ? { sequence: 0, version: '' } : null),
  }
}

/** Follows the audit of every tenant to its end, and applies changed terms and reached dates. */
export async function followReviews(store: Store): Promise<void> {
  await followToEnd(store, [reviewFollower(store)])
  await runUpkeep({ store }, [applyReviewDates])
}

/** A record whose review is outdated, with the review that was current when this was found. If there is a newer review, it is left unchanged. */
type Outdated = { id: string; reviewId: string }
type ReviewedRow = { id: string; review_id: string; facts_hash: string; decided_at: string; member: string }

async function findOutdated(store: Store, tenantId: string, events: readonly FollowedEvent[]): Promise<Outdated[]> {
  const ids = [...new Set(events.flatMap(({ business_id: id }) => id ?? []))]
  const breathe = createBreather()
  const { rows } = await sql<ReviewedRow>`
    WITH RECURSIVE up (id, member) AS (
      SELECT value, value FROM ${elementsOf(ids, 'asked')}
      UNION
      SELECT b.merged_into, up.member FROM up ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = up.id WHERE b.merged_into IS NOT NULL
    )
    SELECT r.business_id AS id, r.review_id, r.facts_hash, r.decided_at, up.member FROM up
      ${thenJoin} review_states r ON r.tenant_id = ${tenantId} AND r.business_id = up.id
    WHERE r.state IN ('verified', 'rejected')`.execute(store.reader)
  const outdatedAt = new Map(
    events.flatMap(({ action, at, business_id: id }) => (id !== null && outdating.includes(action) ? [[id, at]] : [])),
  )
  const outdated = new Map<string, string>()
  const checked = new Set<string>()
  for (const { id, review_id: reviewId, facts_hash: hash, decided_at: decidedAt, member } of rows) {
    // A merge before the decision is ignored: the person saw the merged record. Events are repeated after a crash.
    if (decidedAt <= (outdatedAt.get(member) ?? '')) outdated.set(id, reviewId)
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
