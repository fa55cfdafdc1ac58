import { sql } from 'kysely'
import { daysAfter } from '../../lib/clock.ts'
import { countUpTo } from '../../store/engine/count-up-to.ts'
import { ANSWER_DAYS, type Waiting } from '../room.ts'

/** Jobs that this person requested and that failed lately, until somebody retries them. */
const failedJobs: Waiting = {
  key: 'my_failed_jobs',
  label: 'My failed jobs',
  isAnswer: true,
  permission: 'jobs.read',
  link: { desk: 'jobs', query: { status: 'failed' } },
  count: async ({ db, actor: { tenantId, userId }, at }, bound) => {
    const rows = db
      .selectFrom('jobs as j')
      .select('j.id')
      .where('j.tenant_id', '=', tenantId)
      .where('j.ended_at', '>=', daysAfter(new Date(at), -ANSWER_DAYS))
      .where('j.status', '=', sql.lit('failed'))
      .where('j.actor', '=', userId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as later')
              .select('later.id')
              .whereRef('later.tenant_id', '=', 'j.tenant_id')
              .whereRef('later.lineage_id', '=', 'j.lineage_id')
              .whereRef('later.attempt', '>', 'j.attempt'),
          ),
        ),
      )
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInJobs: readonly Waiting[] = [failedJobs]
