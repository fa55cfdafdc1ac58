import { defineFacts } from '../define-facts.ts'

export const jobFacts = defineFacts({
  room: 'jobs',
  permissions: {
    'jobs.read': { role: 'viewer', label: 'See jobs' },
    'jobs.create': { role: 'operator', label: 'Create jobs' },
    'jobs.cancel': { role: 'operator', label: 'Cancel jobs' },
    'jobs.retry': { role: 'operator', label: 'Retry jobs' },
  },
  errors: {
    job_not_cancellable: [422, 'Job cannot be cancelled'],
    job_not_retryable: [422, 'Job cannot be retried'],
    queue_full: [429, 'Too many queued jobs'],
  },
  workActions: {
    'job.create': 'Job started',
    'job.retry': 'Job retried',
    'job.cancel': 'Job cancelled',
    'job.end': 'Job ended',
    'job.prune_events': 'Old job events deleted',
  },
  auditSubjects: {
    job: { label: 'Job', visibleTo: 'jobs.read' },
  },
  systemActors: ['job worker'],
  capabilities: [
    {
      phase: 4,
      area: 'Jobs',
      status: 'operational',
      reason:
        'Jobs survive crashes under fenced leases, with cancellation, retry and a monitor that follows them by stream or by polling; they run in the API process and share its one store, without horizontal scaling.',
      pilot:
        'Operational, pilot: jobs run in the API process on one store. Durable leases, recovery after a crash and a stream of events go beyond the pilot.',
    },
  ],
})
