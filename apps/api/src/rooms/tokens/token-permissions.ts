import type { Permission } from '../../lib/declared.ts'
import { permissionNames, permissions } from '../facts.ts'
import { permissionsOf, type Role } from '../identity/identity.ts'
import { type TokenGroup, tokenGroups, tokenPermissions } from './token-permissions.data.ts'
import type { TokenPermissions } from './tokens.schema.ts'

/** Every permission that a token can have. */
export const grantablePermissions: ReadonlySet<Permission> = new Set(permissionNames.filter(isGrantable))

function isGrantable(permission: Permission): boolean {
  return 'group' in tokenPermissions[permission]
}

/** Returns the permissions with which a token acts: those that it was given, that its person has now, and that tokens can have. */
export function effectivePermissions(given: readonly string[], role: Role): ReadonlySet<Permission> {
  const held = permissionsOf(role)
  const names = new Set<string>(given)
  return new Set(permissionNames.filter((name) => names.has(name) && held.has(name) && isGrantable(name)))
}

/** Lists the permissions that a token can have, by group, and whether a person with these permissions can give them to a token. */
export function tokenPermissionsFor(held: ReadonlySet<Permission>): TokenPermissions {
  return {
    groups: (Object.keys(tokenGroups) as TokenGroup[]).map((group) => ({
      group,
      label: tokenGroups[group],
      permissions: permissionNames
        .filter((name) => isInGroup(name, group))
        .map((permission) => ({
          permission,
          label: permissions[permission].label,
          isHeld: held.has(permission),
          changes: !/\.(read|verify|see|preview)/.test(permission),
        })),
    })),
  }
}

function isInGroup(permission: Permission, group: TokenGroup): boolean {
  const rule = tokenPermissions[permission]
  return 'group' in rule && rule.group === group
}
