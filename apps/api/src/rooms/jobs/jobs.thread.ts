/** The room's door for threads that do a job's effects themselves: nothing behind it loads a schema, a route or another room. */
export { type Claim, type Effect, effectOf } from './worker/job-effect.ts'
export { JobInterrupted } from './worker/job-interrupted.ts'
