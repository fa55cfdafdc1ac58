import type { Role } from '@prospect/api-client'

/** Apart from the words for permissions: the frame names the role, and needs no more for its first look. */
const roleNames: Record<Role, string> = {
  administrator: 'Administrator',
  manager: 'Manager',
  operator: 'Operator',
  viewer: 'Viewer',
}

export const roleName = (role: Role): string => roleNames[role]
