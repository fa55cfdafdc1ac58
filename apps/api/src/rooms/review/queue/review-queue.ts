import type { UserActor } from '../../../lib/actor.ts'
import type { Store } from '../../../store/store.ts'
import { type Condition, isMatching, type RecordLister, type Sort } from '../../prospect-list/prospect-list.ts'
import { claimedByOthers } from '../../review-decisions/review-decisions.ts'
import { applyFilter } from '../filters/saved-filters.ts'
import { type CompiledPredicate, compilePredicate, defaultConditions } from './predicate.ts'
import type { ReviewQueuePage } from './queue.schema.ts'

/**
 * Maximum number of pages that a search for the next record reads. The search omits records that other people claimed and those that the person
 * skipped.
 */
const PAGES_LOOKED_AT = 5
const PAGE = 100

/** A predicate as requested: by a saved filter, by conditions, or by neither (the default queue). */
export type Wanted = {
  filterId?: string | undefined
  conditions?: readonly Condition[] | undefined
  sort?: Sort | null | undefined
}

/** Resolves the requested predicate. Errors: `not_found` and `filter_unreadable` (the saved filter). */
export async function predicateOf(
  store: Store,
  actor: UserActor,
  { filterId, conditions = defaultConditions, sort }: Wanted,
): Promise<CompiledPredicate> {
  if (filterId === undefined) return compilePredicate(store, actor, conditions, sort)
  const saved = await applyFilter(store.reader, actor, filterId)
  return compilePredicate(store, actor, saved.conditions, sort ?? saved.sort)
}

/**
 * Returns a page of the queue with its exact predicate. A cursor is valid only for the predicate that created it. Errors: `invalid_request` (a cursor
 * of another predicate), `scores_switched`, those of `predicateOf`.
 */
export async function listQueue(
  store: Store,
  list: RecordLister,
  actor: UserActor,
  wanted: Wanted,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ReviewQueuePage> {
  const { predicate, filter, scores } = await predicateOf(store, actor, wanted)
  const binding = ['review-queue', predicate.hash]
  const page = await list(actor, { filter, scores, sort: predicate.sort, limit, cursor, binding })
  return { ...page, predicate }
}

/** Returns the id of the first record of the queue that the person has not skipped and nobody else has claimed; null if there is none. */
export async function findNext(
  store: Store,
  list: RecordLister,
  actor: UserActor,
  wanted: Wanted & { skip: readonly string[] },
): Promise<string | null> {
  const skipped = new Set(wanted.skip)
  let cursor: string | undefined
  for (let looked = 1; ; looked++) {
    const page = await listQueue(store, list, actor, wanted, { limit: PAGE, cursor })
    const ids = page.items.map(({ id }) => id)
    const now = store.clock().toISOString()
    const claimed = await claimedByOthers(store.reader, { tenantId: actor.tenantId, userId: actor.userId, ids, now })
    const next = ids.find((id) => !skipped.has(id) && !claimed.has(id))
    if (next !== undefined) return next
    cursor = page.page.nextCursor ?? undefined
    if (cursor === undefined || looked === PAGES_LOOKED_AT) return null
  }
}

/** Returns true if a record still matches the person's predicate. */
export async function stillMatches(
  store: Store,
  actor: UserActor,
  businessId: string,
  wanted: Wanted,
): Promise<boolean> {
  const { filter } = await predicateOf(store, actor, wanted)
  return isMatching(store.reader, filter, businessId)
}
