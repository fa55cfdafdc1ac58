import type { Waiting } from '../room.ts'
import { countOverdue } from './requests.ts'

/** Requests whose due day has passed. */
export const waitingInRequests: readonly Waiting[] = [
  {
    key: 'subject_requests',
    label: 'Overdue subject requests',
    permission: 'requests.manage',
    link: { desk: 'requests', query: { state: 'overdue' } },
    count: async ({ db, actor: { tenantId }, at: now }, bound) => ({
      count: await countOverdue(db, { tenantId, now, bound }),
      isWhole: true,
    }),
  },
]
