/**
 * Public module of the identity room: tenants, people and their permissions. A person is one user with a role in each tenant that they belong to. A
 * session belongs to one person and is in one tenant at a time.
 */

export { forEachTenant } from './accounts/for-each-tenant.ts'
export { clientOf } from './accounts/request-origin.ts'
export { addMembership, createTenant, createUser, findUserId, systemActor } from './accounts/tenants-and-users.ts'
export { inspectCompanyKeys } from './company/jwks-file.ts'
export { countUsers, getTenant, isMember, listTenants, namesOfMembers, tenantExists } from './identity.queries.ts'
export { DEFAULT_COUNTRY, type Locale, localeSchema, permissionSchema, timeZone } from './identity.schema.ts'
export { createAttemptLimit } from './limits/attempt-limit.ts'
export { bootstrapAdministrator } from './people/bootstrap.ts'
export { resetFactorsByOperator, resetPasswordByOperator } from './people/operator-resets.ts'
export { allPermissions, permissionsOf, type Role, roles } from './permissions.ts'
export { endAccessToTenant } from './sessions/end-access.ts'
export { sessionCookieName } from './sessions/session-cookie.ts'
export { holdOf, type SecondFactorPolicy } from './sessions/session-state.rules.ts'
export { actorFinder, memberActor, sessionWatcher } from './sessions/sessions.ts'
export { reportRefusedCookie } from './sessions/spent-tokens.ts'
