import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'
import { policiesOf } from './policies/policies.queries.ts'
import { waitingRequests } from './writing/drafts.queries.ts'

/** Requests of other people for drafts of which this person wrote no version. */
const draftsToApprove: Waiting = {
  key: 'drafts',
  label: 'Drafts',
  permission: 'drafts.approve',
  link: { desk: 'drafts', query: {} },
  count: async ({ db, actor: { tenantId, userId } }, bound) => {
    const rows = waitingRequests(db, tenantId)
      .where('r.requested_by', '<>', userId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('draft_versions as w')
              .select('w.draft_id')
              .whereRef('w.tenant_id', '=', 'r.tenant_id')
              .whereRef('w.draft_id', '=', 'r.draft_id')
              .where('w.created_by', '=', userId),
          ),
        ),
      )
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

/** Proposals of other people that have not ended. */
const policiesToApprove: Waiting = {
  key: 'draft_policies',
  label: 'Draft policies',
  permission: 'drafts.approve',
  link: { desk: 'draft_policies', query: {} },
  count: async ({ db, actor: { tenantId, userId }, at }, bound) => {
    const proposed = policiesOf(db, { tenantId, state: 'proposed', jurisdiction: undefined })
    const rows = proposed.where('p.proposed_by', '<>', userId).where('p.ends_at', '>', at)
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInDrafts: readonly Waiting[] = [draftsToApprove, policiesToApprove]
