import { AppError } from './app-error.ts'
import type { Permission, SystemActorName } from './declared.ts'

/** The author of a change. Every change and every audit event has one. */
export type Actor = {
  tenantId: string
  /** identifies the request or command that made the change; responses show it as `correlationId` */
  correlationId: string
  permissions: ReadonlySet<Permission>
} & (
  | {
      kind: 'user'
      userId: string
      /** the access token with which a program acts for this person; absent in a session of the person */
      tokenId?: string
    }
  | { kind: 'system'; name: SystemActorName }
)

/** A signed-in person, as routes get them. */
export type UserActor = Extract<Actor, { kind: 'user' }>

/** Requires that the actor has the permission. Errors: `permission_denied`. */
export function requirePermission({ permissions }: Actor, permission: Permission): void {
  if (!permissions.has(permission)) {
    throw new AppError('permission_denied', `Your role does not include ${permission}.`)
  }
}

/** Returns the value for an actor column: a user's id, or the name of a part of the system. */
export function actorKey(actor: Actor): string {
  return actor.kind === 'user' ? actor.userId : actor.name
}

/** Returns the id of the access token with which a program makes this change; null for a person in a session, and for a part of the system. */
export function tokenOfActor(actor: Actor): string | null {
  return actor.kind === 'user' ? (actor.tokenId ?? null) : null
}

/** The actor in the form of responses. */
export type ActorRef = { kind: 'user'; id: string; name: string } | { kind: 'system'; name: string }

/** Builds the actor for a response from an actor column and the joined name of the user, which is null for a part of the system. */
export function actorRef(key: string, userName: string | null): ActorRef {
  return userName === null ? { kind: 'system', name: key } : { kind: 'user', id: key, name: userName }
}

/** True if the reader of a response is the actor in it. */
export function isBy(actor: ActorRef, reader: UserActor): boolean {
  return actor.kind === 'user' && actor.id === reader.userId
}
