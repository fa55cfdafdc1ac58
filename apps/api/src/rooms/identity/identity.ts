/**
 * The room of tenants, people and what they may do: the front door, all that other rooms, the app and the command line may use.
 * A person is one user, with a role in each tenant that they belong to; a session is one person in one tenant at a time.
 */
export { bootstrapAdministrator } from './bootstrap.ts'
export { endAccessToTenant } from './end-access.ts'
export { countUsers, findTenant, isMember, listTenants, tenantExists } from './identity.queries.ts'
export { timeZone } from './identity.schema.ts'
export { resetFactorsByOperator, resetPasswordByOperator } from './operator-resets.ts'
export { allPermissions, type Role, roles } from './permissions.ts'
export { sessionCookieName } from './session-cookie.ts'
export { actorFinder, memberActor, sessionWatcher } from './sessions.ts'
export { reportRefusedCookie } from './spent-tokens.ts'
export { addMembership, createTenant, createUser, findUserId, systemActor } from './tenants-and-users.ts'
