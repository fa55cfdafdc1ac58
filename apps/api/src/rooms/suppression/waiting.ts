import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'
import { reviewTermOf } from './entries/review-term.ts'
import { pastTerm } from './suppression.queries.ts'

/** Entries whose review term has ended; none in a workspace without a term. */
const entriesDue: Waiting = {
  key: 'suppressions',
  label: 'Entries of the do-not-contact list, due for review',
  permission: 'suppression.remove',
  link: { desk: 'suppression', query: { status: 'past_term' } },
  count: async ({ store, db, actor: { tenantId }, at }, bound) => {
    const term = await reviewTermOf(store.reader, tenantId, at)
    if (term === null) return { count: 0, isWhole: true }
    const { pastBefore } = term
    const rows = pastTerm(db, { tenantId, search: undefined, kind: undefined, pastBefore })
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInSuppression: readonly Waiting[] = [entriesDue]
