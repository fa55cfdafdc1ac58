import { daysAfter } from '../../lib/clock.ts'
import { countUpTo } from '../../store/engine/count-up-to.ts'
import { ANSWER_DAYS, type Waiting } from '../room.ts'

/** Submitted versions that this person neither submitted nor edited. */
const versionsToApprove: Waiting = {
  key: 'scoring_versions',
  label: 'Scoring versions',
  permission: 'scoring.approve',
  link: { desk: 'scoring', query: {} },
  count: async ({ db, actor: { tenantId, userId } }, bound) => {
    const rows = db
      .selectFrom('scoring_versions as v')
      .select('v.number')
      .where('v.tenant_id', '=', tenantId)
      .where('v.state', '=', 'submitted')
      .where('v.submitted_by', '<>', userId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('scoring_editors as e')
              .select('e.number')
              .whereRef('e.tenant_id', '=', 'v.tenant_id')
              .whereRef('e.rule_set_id', '=', 'v.rule_set_id')
              .whereRef('e.number', '=', 'v.number')
              .where('e.user_id', '=', userId),
          ),
        ),
      )
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

/** Versions that this person submitted and somebody else decided on lately. */
const decidedVersions: Waiting = {
  key: 'my_decided_versions',
  label: 'My scoring versions, decided',
  isAnswer: true,
  permission: 'scoring.read',
  link: { desk: 'scoring', query: {} },
  count: async ({ db, actor: { tenantId, userId }, at }, bound) => {
    const rows = db
      .selectFrom('scoring_versions as v')
      .select('v.number')
      .where('v.tenant_id', '=', tenantId)
      .where('v.state', 'in', ['approved', 'rejected'])
      .where('v.submitted_by', '=', userId)
      .where('v.decided_by', '<>', userId)
      .where('v.decided_at', '>=', daysAfter(new Date(at), -ANSWER_DAYS))
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInScoring: readonly Waiting[] = [versionsToApprove, decidedVersions]
