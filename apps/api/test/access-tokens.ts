import type { Permission } from '../src/lib/declared.ts'
import type { Role } from '../src/rooms/define-facts.ts'
import { permissionsOf } from '../src/rooms/identity/permissions.ts'
import { grantablePermissions } from '../src/rooms/tokens/token-permissions.ts'
import type { AccessToken } from '../src/rooms/tokens/tokens.schema.ts'
import { freshClient } from './asking.ts'
import type { TestApp, TestClient, TestTenants } from './build-app.ts'

export type NewToken = AccessToken & { secret: string }
export type TokenOptions = {
  role?: Role
  tenant?: keyof TestTenants
  name?: string
  permissions?: readonly Permission[]
  days?: number
  addresses?: readonly string[]
}

const DAY_MS = 86_400_000

/** Returns the permissions that a token of this role can have, in a stable order. */
export function grantableTo(role: Role): Permission[] {
  return [...grantablePermissions].filter((permission) => permissionsOf(role).has(permission)).sort()
}

/** Creates an access token by the route, in a session that has just begun. Throws if it is refused. */
export async function createTestToken(
  t: TestApp,
  {
    role = 'operator',
    tenant = 'home',
    name = 'Warehouse sync',
    permissions,
    days = 30,
    addresses = [],
  }: TokenOptions = {},
): Promise<NewToken & { client: TestClient }> {
  const { id: tenantId, users } = t.tenants[tenant]
  const person =
    tenant === 'home'
      ? await freshClient(t, role)
      : t.withSession(await t.startSession({ tenantId, userId: users[role].id, role }))
  const endsAt = new Date(t.clock().getTime() + days * DAY_MS).toISOString()
  const body = { name, permissions: permissions ?? grantableTo(role), endsAt, addresses }
  const { status, body: token } = await person.post<NewToken>('/tokens', body)
  if (status !== 201) throw new Error(`No token: ${status} ${JSON.stringify(token)}`)
  return { ...token, client: t.withToken(token.secret) }
}
