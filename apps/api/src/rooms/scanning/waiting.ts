import { MAX_WALKED } from '../../http/pagination.ts'
import { countUpTo, countWanted } from '../../store/engine/count-up-to.ts'
import type { Waiting } from '../room.ts'
import { answersTo } from './sites/official-sites.ts'
import { markedAnswers, markedProposals } from './sites/sites.queries.ts'

/** Proposals of other people that nobody has decided about. */
const sitesToApprove: Waiting = {
  key: 'official_sites',
  label: 'Official sites',
  permission: 'scanning.approve_site',
  link: { desk: 'websites', query: {} },
  count: ({ db, actor: { tenantId, userId } }, bound) =>
    countWanted(db, markedProposals(db, tenantId, { notBy: userId }), { limit: bound, maxWalked: MAX_WALKED }),
}

/** Proposals of this person that somebody else approved or rejected lately. */
const decidedSites: Waiting = {
  key: 'my_decided_sites',
  label: 'My proposed sites, decided',
  isAnswer: true,
  permission: 'scanning.read',
  link: { desk: 'websites', query: { show: 'answered' } },
  count: ({ db, actor: { tenantId, userId }, at }, bound) =>
    countWanted(db, markedAnswers(db, tenantId, answersTo(userId, at)), { limit: bound, maxWalked: MAX_WALKED }),
}

/** Versions after the current one that other people wrote. */
const policiesToApprove: Waiting = {
  key: 'scan_policies',
  label: 'Scan policy',
  permission: 'scanning.approve_policy',
  link: { desk: 'scan_policy', query: {} },
  count: async ({ db, actor: { tenantId, userId } }, bound) => {
    const rows = db
      .selectFrom('scan_policies as p')
      .select('p.version')
      .where('p.tenant_id', '=', tenantId)
      .where('p.created_by', '<>', userId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('scan_policy_approvals as a')
              .select('a.version')
              .whereRef('a.tenant_id', '=', 'p.tenant_id')
              .whereRef('a.version', '>=', 'p.version'),
          ),
        ),
      )
    return { count: await countUpTo(db, rows, bound), isWhole: true }
  },
}

export const waitingInScanning: readonly Waiting[] = [sitesToApprove, policiesToApprove, decidedSites]
