import type { Kysely } from 'kysely'
import { type Actor, actorKey, requirePermission, tokenOfActor } from '../../lib/actor.ts'
import type { AuditAction, AuditSubject, Permission } from '../../lib/declared.ts'
import type { Database } from '../database.ts'
import { rowsWritten } from '../engine/kysely-over.ts'
import type { Keys } from '../files/keys.ts'
import { createAuditChain } from './audit-chain.ts'
import type { ChangeStore } from './change-store.ts'
import { findIdempotentResult, type IdempotencyKey, saveIdempotentResult } from './idempotency.ts'
import type { Signals } from './signals.ts'
import type { Outcome } from './write-queue.ts'

/** The context of a change: its transaction, actor and time, and the function that records audit events. */
export type Tx = {
  db: Kysely<Database>
  /** the store's secrets, for values that are derived inside a change */
  keys: Keys
  /** event emitter of the store; rooms emit on it after the commit */
  signals: Signals
  actor: Actor
  /** time of the change, RFC 3339; the same for all writes of this change */
  at: string
  idempotencyKey: string | null
  /** Appends an event to the tenant's audit chain in this transaction and returns its id. Every change that writes must call it. */
  record(event: AuditEntry): Promise<string>
  /**
   * Registers work to run in the transaction just before the commit, outside the savepoints of single changes. For work that is cheaper once per
   * batch.
   */
  beforeCommit(callback: () => Promise<void>): void
  /** Registers a callback to run when the change is durable. It must not throw. */
  afterCommit(callback: () => void): void
}

/** An audit event of a room. `before` and `after` contain the changed values, but never secrets and never the text of notes. */
export type AuditEntry = {
  /** the action of this event, for a change with several actions; by default the action of the change */
  action?: AuditAction
  subject: { type: AuditSubject; id: string }
  /** the business in whose activity the event is listed */
  businessId?: string
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  reason?: string | null
}

export type ChangeOptions = {
  /** the permission that the actor must have; null only if any signed-in user may make the change */
  permission: Permission | null
  /** name of the action in the audit, `<room>.<verb>` */
  action: AuditAction
  idempotency?: IdempotencyKey | undefined
}

/** Result of a change. `replayed`: true if `value` is the stored result of an earlier request with the same key, and nothing was done now. */
export type ChangeResult<T> = { value: T; replayed: boolean }

const nothing = Symbol('nothing to change')
export type Unchanged<T> = { [nothing]: true; value: T }

/**
 * Marks the result of work that found the requested state already. Such a change succeeds and writes nothing except an idempotency key. It records no
 * event.
 */
export function unchanged<T>(value: T): Unchanged<T> {
  return { [nothing]: true, value }
}

export function isUnchanged<T>(result: T | Unchanged<T>): result is Unchanged<T> {
  return typeof result === 'object' && result !== null && nothing in result
}

/**
 * Makes a change of state. Every change goes through this function (Global rule 1). It checks the permission. It returns the stored result of an
 * idempotency key to the actor who used the key first, and refuses a conflicting use. It runs the room's work in a write transaction, appends the
 * audit events to the tenant's chain in the same transaction, and commits together with other pending changes. Work that writes without recording an
 * event is a bug and is rolled back, so every write has an audit event. The result is stored with the key, even if nothing changed, so that a late
 * repeat does nothing. It consists of ids and of what cannot be read again; a result above `MAX_STORED_RESULT_BYTES` is a bug and is rolled back too
 * (docs/decisions/idempotency-keys.md).
 *
 * Errors: `permission_denied`, `idempotency_key_reused`, `idempotency_in_progress`, `unavailable`, and errors of the work. After an error nothing is
 * written.
 */
export async function change<T>(
  store: ChangeStore,
  actor: Actor,
  options: ChangeOptions,
  work: Work<T>,
): Promise<ChangeResult<T>> {
  if (options.permission !== null) requirePermission(actor, options.permission)
  return store.idempotencyInProgress.guard(actor.tenantId, options.idempotency?.key, () =>
    commit(store, actor, options, work),
  )
}

/**
 * Makes a change with several commits, such as a merge, which commits its snapshot first. `steps` makes the earlier commits and then calls `last`,
 * whose result is stored under the key. If the key has a stored result, returns it without running anything. Errors: `idempotency_in_progress` while
 * the first request of the key runs, those of `change` and those of `steps`.
 */
export async function changeInSteps<T>(
  store: ChangeStore & { reader: Kysely<Database> },
  actor: Actor,
  options: ChangeOptions,
  steps: (last: (work: Work<T>) => Promise<ChangeResult<T>>) => Promise<ChangeResult<T>>,
): Promise<ChangeResult<T>> {
  const { permission, idempotency } = options
  if (permission !== null) requirePermission(actor, permission)
  return store.idempotencyInProgress.guard(actor.tenantId, idempotency?.key, async () => {
    const stored = idempotency && (await findIdempotentResult<T>(store.reader, actor, idempotency))
    if (stored !== undefined) return { value: stored.value, replayed: true }
    return steps((work) => commit(store, actor, options, work))
  })
}

type Work<T> = (tx: Tx) => Promise<T | Unchanged<T>>

function commit<T>(
  store: ChangeStore,
  actor: Actor,
  { action, idempotency }: ChangeOptions,
  work: Work<T>,
): Promise<ChangeResult<T>> {
  const { keys, signals } = store
  const attempt = async (db: Kysely<Database>): Promise<Outcome<ChangeResult<T>>> => {
    let writtenBefore = 0
    if (idempotency !== undefined) {
      const stored = await findIdempotentResult<T>(db, actor, idempotency)
      if (stored !== undefined) return { keep: false, value: { value: stored.value, replayed: true } }
      writtenBefore = rowsWritten(db)
    }
    const at = store.clock().toISOString()
    const beforeCommit: (() => Promise<void>)[] = []
    const afterCommit: (() => void)[] = []
    const recorded: string[] = []
    const chain = createAuditChain(db, actor.tenantId)
    const tx: Tx = {
      db,
      keys,
      signals,
      actor,
      at,
      idempotencyKey: idempotency?.key ?? null,
      record: async (entry) => {
        const id = await chain.append({
          action,
          ...entry,
          at,
          actor: actorKey(actor),
          tokenId: tokenOfActor(actor),
          correlationId: actor.correlationId,
        })
        recorded.push(entry.action ?? action)
        return id
      },
      beforeCommit: (callback) => beforeCommit.push(callback),
      afterCommit: (callback) => afterCommit.push(callback),
    }
    const result = await work(tx)
    if (isUnchanged(result)) {
      const value = { value: result.value, replayed: false }
      if (idempotency === undefined) return { keep: false, value }
      // Throws if the work wrote anything although it returned unchanged, because no event would record that write.
      if (rowsWritten(db) !== writtenBefore)
        throw new Error(`The change ${action} wrote, returned unchanged, and was rolled back.`)
      await saveIdempotentResult(db, actor, idempotency, result.value, at)
      return { keep: true, value }
    }
    if (recorded.length === 0) throw new Error(`The change ${action} recorded no audit event and was rolled back.`)
    if (idempotency !== undefined) await saveIdempotentResult(db, actor, idempotency, result, at)
    afterCommit.push(() => signals.emit('recorded', actor.tenantId, recorded))
    return { keep: true, value: { value: result, replayed: false }, beforeCommit, afterCommit }
  }
  return store.write({ tenantId: actor.tenantId }, attempt)
}
