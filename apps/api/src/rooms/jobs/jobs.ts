/**
 * The room of work that takes longer than a request: the front door, all that other rooms, the app and `main.ts` may use.
 *
 * A kind of job is one file `<room>.jobs.ts`:
 *
 *     export const auditVerification = defineJobKind({
 *       kind: 'audit-verification', title: 'Verify the audit', permission: 'audit.verify', input: z.strictObject({}),
 *       timeoutMs: 600_000, maxAttempts: 1, isCancellable: true, touches: 'Reads the chain of events; writes nothing.',
 *       run: async ({ signal, progress }) => { …; return { status: 'intact' } },
 *     })
 *
 * and one line in `job-kinds.ts`. People create one with `POST /jobs`, a room with `createJob(tx, { kind: auditVerification, input: {} })`
 * inside a change. A room below imports the room of the kind no more than it does otherwise. What a job promises: `docs/jobs.md`.
 */
export { createJob } from './create-job.ts'
export { demonstration } from './demonstration.jobs.ts'
export { startEventRetention } from './event-retention.ts'
export { JobInterrupted } from './job-interrupted.ts'
export {
  defineJobKind,
  type JobContext,
  type JobKind,
  type JobKinds,
  jobKindsOf,
} from './job-kind.ts'
export { type JobEnding, watchJob } from './job-watch.ts'
export { jobSchema } from './jobs.schema.ts'
export { type JobStatus, jobStatuses } from './jobs.table.ts'
export { getJob } from './read-jobs.ts'
export { type JobWorker, startJobWorker } from './worker.ts'
