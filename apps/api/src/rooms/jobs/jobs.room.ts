import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { eventRetention } from './events/event-retention.ts'
import { countJobStreams, jobStreamsOfPerson, jobStreamsOfTenant } from './events/event-stream.ts'
import { jobRoutes } from './jobs.routes.ts'
import { demonstration } from './kinds/demonstration.jobs.ts'
import { queuedJobQuota } from './queue/create-job.ts'
import { attemptLimit } from './queue/retry-job.ts'
import { waitingInJobs } from './waiting.ts'
import { endLeftOpen } from './worker/end-left-open.ts'
import { startJobWorker } from './worker/worker.ts'

export const jobRoom: Room = {
  name: 'jobs',
  routes: [jobRoutes],
  waiting: waitingInJobs,
  localJobKinds: [demonstration],
  quotas: [queuedJobQuota],
  otherLimits: [attemptLimit],
  limits: [jobStreamsOfPerson, jobStreamsOfTenant].map((limit) => ({
    ...limit,
    read: async ({ store }, owner) => ({ used: countJobStreams(store, limit, owner), max: limit.max }),
  })),
  atStart: ({ store, kinds, log }) => endLeftOpen(store, kinds, log),
  loops: [
    {
      name: 'job worker',
      whenListening: true,
      start: ({ store, kinds, adapters, rooms, log }) => startJobWorker({ store, kinds, adapters, rooms, log }),
    },
  ],
  upkeep: [eventRetention],
  retention: [
    {
      key: 'job_events',
      data: 'Events of jobs',
      term: async ({ config }) => termOf(config.jobEventsKeepDays, 'day'),
      begins: 'From the end of the last attempt. The configuration of the server sets the period.',
      ends: 'All events but the last are deleted. The job and its result remain.',
      tasks: [eventRetention.name],
    },
  ],
}
