import type { Kysely } from 'kysely'
import { actorKey, type UserActor } from '../../lib/actor.ts'
import type { AuditAction } from '../../lib/declared.ts'
import type { Database } from '../database.ts'
import type { Store } from '../store.ts'
import { type AuditEntry, change, unchanged } from './change.ts'

/** Time during which the refusals of one person are counted, and a refusal that is repeated is not recorded again. */
const WINDOW_MS = 60_000
/** Maximum number of refusals of one action that are recorded for one person within the window. */
const MAX_RECORDED = 30

/** A refusal to record: the record, the error code as `after.code`, and what else tells readers of the audit which attempt it was. */
export type Refusal = Omit<AuditEntry, 'action' | 'before' | 'reason'> & {
  action: AuditAction
  after: { code: string } & Record<string, unknown>
}

/**
 * Records an attempt that was refused, in a change of its own, because an error rolls back the change that it is in. The same refusal of the same
 * person and record is recorded once a minute, and at most 30 refusals of one action by one person in a minute, so that a loop of attempts cannot fill
 * the audit. Errors: those of `change`.
 */
export async function recordRefusal(store: Store, actor: UserActor, refusal: Refusal): Promise<void> {
  const { action, ...entry } = refusal
  // Answered from the reader first, so that a loop of attempts does not occupy the write queue.
  if (await isEnough(store.reader, store.clock().toISOString(), actor, refusal)) return
  await change(store, actor, { permission: null, action }, async (tx) => {
    if (await isEnough(tx.db, tx.at, actor, refusal)) return unchanged(undefined)
    await tx.record(entry)
  })
}

/** True if this refusal was recorded within the window, or enough others of this action and person were. */
async function isEnough(db: Kysely<Database>, at: string, actor: UserActor, refusal: Refusal): Promise<boolean> {
  const recorded = await db
    .selectFrom('audit_events')
    .select(['subject_id', 'after_json'])
    .where('tenant_id', '=', actor.tenantId)
    .where('action', '=', refusal.action)
    .where('at', '>', new Date(Date.parse(at) - WINDOW_MS).toISOString())
    // An event of the future is from before the clock was set back.
    .where('at', '<=', at)
    .where('actor', '=', actorKey(actor))
    .limit(MAX_RECORDED)
    .execute()
  return recorded.length === MAX_RECORDED || recorded.some((event) => isSame(event, refusal))
}

function isSame(event: { subject_id: string; after_json: string | null }, { subject, after }: Refusal): boolean {
  return event.subject_id === subject.id && event.after_json === JSON.stringify(after)
}
