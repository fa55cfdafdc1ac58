/** The room's front door for worker threads that run a job's effects: it imports no schema, no route and no other room. */
export { type Claim, type Effect, effectOf } from './worker/job-effect.ts'
export { JobInterrupted } from './worker/job-interrupted.ts'
