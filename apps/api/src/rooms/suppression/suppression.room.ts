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
  atStart: ({ store, log }) => queueReevaluations(store, log),
  sample: async (desk) => (await import('./suppression.sample.ts')).sampleSuppressions(desk),
}
