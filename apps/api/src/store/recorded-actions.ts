import { EventEmitter } from 'node:events'
import type { Kysely } from 'kysely'
import type { Database } from './database.ts'

/**
 * Emits the actions that a change recorded in a tenant's chain, after its commit. Changes of other processes and of threads with a writer of
 * their own are not emitted: a listener that must not miss them also reads the chain from time to time.
 */
export type RecordedActions = EventEmitter<{ recorded: [tenantId: string, actions: readonly string[]] }>

const emitters = new WeakMap<Kysely<Database>, RecordedActions>()

/** The emitter of the store that this writer belongs to. */
export function recordedActions(writer: Kysely<Database>): RecordedActions {
  const known = emitters.get(writer)
  if (known !== undefined) return known
  const made: RecordedActions = new EventEmitter()
  emitters.set(writer, made)
  return made
}
