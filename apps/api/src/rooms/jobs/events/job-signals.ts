import { EventEmitter } from 'node:events'
import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'

/**
 * What happened to the jobs of a store in this process, told after the commit. Only ever a hint that there is something to read: what
 * another process does is not told, so whoever listens also looks by themselves from time to time.
 */
export type JobSignals = EventEmitter<{
  /** there is a job to claim */
  queued: []
  /** somebody asked to cancel this running job */
  cancel: [jobId: string]
  /** this job has a new event */
  event: [jobId: string]
}>

const signals = new WeakMap<Kysely<Database>, JobSignals>()

/** Of the store that this writer belongs to: a change knows its store by nothing else. */
export function jobSignals(writer: Kysely<Database>): JobSignals {
  let found = signals.get(writer)
  if (found === undefined) {
    found = new EventEmitter()
    // Every open stream listens.
    found.setMaxListeners(0)
    signals.set(writer, found)
  }
  return found
}
