import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'

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

export const waitingInAssist: readonly Waiting[] = [policiesToApprove]
