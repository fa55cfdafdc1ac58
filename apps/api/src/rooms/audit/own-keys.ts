import { isBy, type UserActor } from '../../lib/actor.ts'
import type { AuditEvent } from './audit.schema.ts'

/** The event as this person may see it: the Idempotency-Key of a request is shown only to its sender. */
export function withOwnKeys(reader: UserActor, event: AuditEvent): AuditEvent {
  return isBy(event.actor, reader)
    ? event
    : { ...event, before: withoutKey(event.before), after: withoutKey(event.after) }
}

function withoutKey(facts: AuditEvent['before']): AuditEvent['before'] {
  return facts !== null && 'idempotencyKey' in facts ? { ...facts, idempotencyKey: null } : facts
}
