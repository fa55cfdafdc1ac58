import { daysAfter } from '../../lib/clock.ts'
import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'
import { PROPOSAL_DAYS } from './bounds.ts'
import { selectProposals } from './suggestions/suggestions.queries.ts'

/** Submitted versions that this person neither wrote nor submitted. */
const policiesToApprove: Waiting = {
  key: 'assist_policies',
  label: 'Assistance policies',
  permission: 'assist.approve_policies',
  link: { desk: 'assistance', query: {} },
  count: async ({ db, actor: { tenantId, userId } }, bound) => {
    const rows = db
      .selectFrom('assist_policies as p')
      .select('p.id')
      .where('p.tenant_id', '=', tenantId)
      .where('p.state', '=', 'in_review')
      .where('p.created_by', '<>', userId)
      .where('p.submitted_by', '<>', userId)
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

/** Proposals that another person requested and that have not expired. */
const suggestionsToDecide: Waiting = {
  key: 'assist_suggestions',
  label: 'Assistance suggestions',
  permission: 'assist.decide',
  link: { desk: 'assistance', query: {} },
  count: async ({ db, actor: { tenantId, userId }, at }, bound) => {
    const rows = selectProposals(db, tenantId, { notBy: userId, after: daysAfter(at, -PROPOSAL_DAYS) })
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInAssist: readonly Waiting[] = [policiesToApprove, suggestionsToDecide]
