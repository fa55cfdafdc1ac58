import { AppError } from './app-error.ts'
import type { Permission, SystemActorName } from './declared.ts'

/** Whoever changes something. Every change and every audit event names one. */
export type Actor = {
  tenantId: string
  /** ties the change to one request or one command; shown as `correlationId` */
  correlationId: string
  permissions: ReadonlySet<Permission>
} & ({ kind: 'user'; userId: string } | { kind: 'system'; name: SystemActorName })

/** A person signed in, as a route sees them. */
export type UserActor = Extract<Actor, { kind: 'user' }>

/** Errors: `permission_denied`. */
export function requirePermission({ permissions }: Actor, permission: Permission): void {
  if (!permissions.has(permission)) {
    throw new AppError('permission_denied', `Your role does not include ${permission}.`)
  }
}

/** The value kept in an actor column: a user's id, or the name of a part of the system. */
export function actorKey(actor: Actor): string {
  return actor.kind === 'user' ? actor.userId : actor.name
}

/** How an actor is shown. */
export type ActorRef = { kind: 'user'; id: string; name: string } | { kind: 'system'; name: string }

/** From an actor column and the user's name that was joined to it (null when it was no user). */
export function actorRef(key: string, userName: string | null): ActorRef {
  return userName === null ? { kind: 'system', name: key } : { kind: 'user', id: key, name: userName }
}

/** Whether the reader of an answer is the actor in it. */
export function isBy(actor: ActorRef, reader: UserActor): boolean {
  return actor.kind === 'user' && actor.id === reader.userId
}
