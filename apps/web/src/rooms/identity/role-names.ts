import type { Role } from '@prospect/api-client'

/** Labels of roles. In a separate module from the texts of permissions, because the frame shows the role on first load. */
const roleNames: Record<Role, string> = {
  administrator: 'Administrator',
  manager: 'Manager',
  operator: 'Operator',
  viewer: 'Viewer',
}

export const roleName = (role: Role): string => roleNames[role]
