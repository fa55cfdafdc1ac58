/**
 * Public module of this room for worker threads that run a job's effects. It imports no schema, no route and no other room, so that such a thread
 * loads few modules.
 */
export { type Claim, type Effect, effectOf } from './worker/job-effect.ts'
export { JobInterrupted } from './worker/job-interrupted.ts'
