import { isBy, type UserActor } from '../../lib/actor.ts'
import type { AuditEvent } from './audit.schema.ts'

/** Returns the event as this person may see it. The Idempotency-Key of a request is visible only to the person who sent it. */
export function withOwnKeys(reader: UserActor, event: AuditEvent): AuditEvent {
  return isBy(event.actor, reader)
    ? event
    : { ...event, before: withoutKey(event.before), after: withoutKey(event.after) }
}

function withoutKey(facts: AuditEvent['before']): AuditEvent['before'] {
  return facts !== null && 'idempotencyKey' in facts ? { ...facts, idempotencyKey: null } : facts
}
