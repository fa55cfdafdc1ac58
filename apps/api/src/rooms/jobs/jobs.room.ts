import type { Room } from '../room.ts'
import { startEventRetention } from './events/event-retention.ts'
import { jobRoutes } from './jobs.routes.ts'
import { demonstration } from './kinds/demonstration.jobs.ts'

/** The worker that runs jobs is started by `main.ts`, once the server listens. */
export const jobRoom: Room = {
  name: 'jobs',
  routes: [jobRoutes],
  localJobKinds: [demonstration],
  loops: [
    {
      name: 'job event retention',
      start: ({ store, config, log }) => startEventRetention(store, { keepDays: config.jobEventsKeepDays, log }),
    },
  ],
}
