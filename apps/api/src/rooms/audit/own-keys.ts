import { isBy, type UserActor } from '../../lib/actor.ts'
import type { AuditEvent } from './audit.schema.ts'

/** Returns the event as this person may see it: only the sender of a request sees its Idempotency-Key. */
export function withOwnKeys(reader: UserActor, event: AuditEvent): AuditEvent {
  return isBy(event.actor, reader)
    ? event
    : { ...event, before: withoutKey(event.before), after: withoutKey(event.after) }
}

function withoutKey(facts: AuditEvent['before']): AuditEvent['before'] {
  return facts !== null && 'idempotencyKey' in facts ? { ...facts, idempotencyKey: null } : facts
}
