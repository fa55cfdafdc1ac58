/**
 * Public module of the jobs room: everything that other rooms, the app and `main.ts` may use. A job is work that takes longer than a request.
 *
 * A kind of job is one file `<room>.jobs.ts`:
 *
 * export const auditVerification = defineJobKind({
 * kind: 'audit-verification', title: 'Verify the audit', permission: 'audit.verify', input: z.strictObject({}),
 * timeoutMs: 600_000, maxAttempts: 1, isCancellable: true, touches: 'Reads the chain of events; writes nothing.',
 * run: async ({ signal, progress }) => { …; return { status: 'intact' } },
 * })
 *
 * Add the kind to the `jobKinds` of `<room>.room.ts`. People create a job with `POST /jobs`; a room creates one with `createJob(tx, { kind:
 * auditVerification, input: {} })` inside a change. A room may only import kinds of rooms that it may import anyway. The guarantees of jobs:
 * `docs/jobs.md`.
 */

export { type JobEnding, watchJob } from './events/job-watch.ts'
export { jobSchema } from './jobs.schema.ts'
export { type JobStatus, jobStatuses } from './jobs.table.ts'
export {
  defineJobKind,
  type EndOfJob,
  type JobContext,
  type JobKind,
  type JobKinds,
  jobKindsOf,
} from './kinds/job-kind.ts'
export { type JobShortfall, shortfallOf } from './kinds/job-shortfall.ts'
export { cancelNewestAttempt } from './queue/cancel-job.ts'
export { createJob } from './queue/create-job.ts'
export { ensureJob, findOpenJob } from './queue/ensure-job.ts'
export { latestJob } from './queue/latest-job.ts'
export { getJob, visibleKindNames } from './queue/read-jobs.ts'
export { JobInterrupted } from './worker/job-interrupted.ts'
export { runInTurn } from './worker/run-turns.ts'
