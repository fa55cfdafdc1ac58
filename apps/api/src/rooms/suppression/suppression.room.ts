import { termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { queueReevaluations } from './reevaluation/queue-reevaluations.ts'
import { suppressionReevaluation } from './suppression.jobs.ts'
import { suppressionRoutes } from './suppression.routes.ts'
import { waitingInSuppression } from './waiting.ts'

export const suppressionRoom: Room = {
  name: 'suppression',
  routes: [suppressionRoutes],
  waiting: waitingInSuppression,
  jobKinds: [suppressionReevaluation],
  retention: [
    {
      key: 'suppression_entries',
      data: 'Entries of the do-not-contact list',
      term: termWithoutTime('removal'),
      begins: 'From the entry. A review term in the settings marks an entry as due, and the entry still blocks.',
      ends: 'A person removes an entry with a reason. The removal remains in the audit log.',
    },
  ],
  atStart: ({ store, log }) => queueReevaluations(store, log),
  sample: async (desk) => (await import('./suppression.sample.ts')).sampleSuppressions(desk),
}
