/*
 * Roles and their permissions (specification, Authentication 5). Rooms declare permissions in their facts. A route names the permission that it
 * requires, `change()` checks it again, and `GET /roles` returns this table.
 */

import type { Permission } from '../../lib/declared.ts'
import { type Role, roles } from '../define-facts.ts'
import { permissionNames, permissions } from '../facts.ts'
import type { RoleMatrix } from './identity.schema.ts'
import { roleWords } from './role-words.data.ts'

export { type Role, roles }

/** The permissions of each role, built once and shared by all requests. */
const permissionsByRole: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  administrator: allOf('administrator'),
  manager: allOf('manager'),
  operator: allOf('operator'),
  viewer: allOf('viewer'),
}

function allOf(role: Role): ReadonlySet<Permission> {
  const isHeld = (permission: Permission) => roles.indexOf(role) <= roles.indexOf(permissions[permission].role)
  return new Set(permissionNames.filter(isHeld))
}

export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return permissionsByRole[role]
}

/** The table of roles and permissions that `GET /roles` returns. */
export const roleMatrix: RoleMatrix = {
  roles: roles.map((role) => ({ role, ...roleWords[role], permissions: [...permissionsOf(role)].sort() })),
  permissions: permissionNames.toSorted().map((permission) => ({ permission, label: permissions[permission].label })),
}

/** Permissions of the system itself, for a command line and the first start. */
export const allPermissions = permissionsByRole.administrator
