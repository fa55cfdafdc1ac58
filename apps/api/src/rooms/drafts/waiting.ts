import { sql } from 'kysely'
import { daysAfter } from '../../lib/clock.ts'
import type { Db } from '../../store/database.ts'
import { countUpTo } from '../../store/engine/count-up-to.ts'
import { ANSWER_DAYS, type Waiting } from '../room.ts'
import type { DraftState } from './drafts.table.ts'
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

/** Drafts of this person that somebody rejected, until they save a new version. */
const rejectedDrafts: Waiting = {
  key: 'my_rejected_drafts',
  label: 'My drafts to correct',
  isAnswer: true,
  permission: 'drafts.write',
  link: { desk: 'my_drafts', query: {} },
  count: async ({ db, actor: { tenantId, userId } }, bound) => {
    const rows = ownDrafts(db, { tenantId, userId, state: 'writing' }).where(({ exists, selectFrom }) =>
      exists(
        selectFrom('draft_requests as r')
          .select('r.id')
          .whereRef('r.tenant_id', '=', 'd.tenant_id')
          .whereRef('r.draft_id', '=', 'd.id')
          .where('r.outcome', '=', 'rejected')
          .where((rejected) =>
            rejected.not(
              rejected.exists(
                rejected
                  .selectFrom('draft_versions as v')
                  .select('v.id')
                  .whereRef('v.tenant_id', '=', 'r.tenant_id')
                  .whereRef('v.draft_id', '=', 'r.draft_id')
                  .whereRef('v.number', '>', 'r.number'),
              ),
            ),
          ),
      ),
    )
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

/** Approved drafts of this person that nobody has copied yet. */
const approvedDrafts: Waiting = {
  key: 'my_approved_drafts',
  label: 'My approved drafts',
  isAnswer: true,
  permission: 'drafts.copy',
  link: { desk: 'approved_drafts', query: {} },
  count: async ({ db, actor: { tenantId, userId } }, bound) => {
    const rows = ownDrafts(db, { tenantId, userId, state: 'approved' }).where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('draft_copies as c')
            .select('c.id')
            .whereRef('c.tenant_id', '=', 'd.tenant_id')
            .whereRef('c.draft_id', '=', 'd.id')
            .whereRef('c.request_id', '=', 'd.request_id'),
        ),
      ),
    )
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

type Own = { tenantId: string; userId: string; state: DraftState }

function ownDrafts(db: Db, { tenantId, userId, state }: Own) {
  return db
    .selectFrom('drafts as d')
    .select('d.id')
    .where('d.tenant_id', '=', tenantId)
    .where('d.assignee_id', '=', userId)
    .where('d.is_open', '=', sql.lit(1))
    .where('d.state', '=', state)
}

/** Policies that this person proposed and somebody else decided on lately. */
const decidedPolicies: Waiting = {
  key: 'my_decided_policies',
  label: 'My draft policies, decided',
  isAnswer: true,
  permission: 'drafts.read',
  link: { desk: 'draft_policies', query: {} },
  count: async ({ db, actor: { tenantId, userId }, at }, bound) => {
    const rows = policiesOf(db, { tenantId, state: undefined, jurisdiction: undefined })
      .where('p.proposed_by', '=', userId)
      .where('p.decided_by', '<>', userId)
      .where('p.decided_at', '>=', daysAfter(new Date(at), -ANSWER_DAYS))
      .where('p.state', 'in', ['approved', 'rejected'])
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInDrafts: readonly Waiting[] = [
  draftsToApprove,
  policiesToApprove,
  rejectedDrafts,
  approvedDrafts,
  decidedPolicies,
]
