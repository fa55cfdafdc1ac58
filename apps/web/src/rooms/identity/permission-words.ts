import type { Role } from '@prospect/api-client'
import { fieldName } from '../../ui/field-names.ts'

const permissionNames: Record<string, string> = {
  'businesses.read': 'See prospects',
  'businesses.write': 'Create and edit prospects',
  'businesses.block': 'Mark a prospect as do not contact',
  'evidence.read': 'See evidence',
  'evidence.write': 'Add evidence',
  'notes.read': 'See notes',
  'notes.write': 'Write notes',
  'notes.read_sensitive': 'Read sensitive notes',
  'pipeline.read': 'See the pipeline',
  'pipeline.move': 'Move prospects through the pipeline',
  'pipeline.configure': 'Set up the pipeline',
  'audit.read': 'See the audit log',
  'audit.verify': 'Verify the audit log',
}

export function permissionName(permission: string): string {
  return permissionNames[permission] ?? fieldName(permission)
}

const roleNames: Record<Role, string> = {
  administrator: 'Administrator',
  manager: 'Manager',
  operator: 'Operator',
  viewer: 'Viewer',
}

export const roleName = (role: Role): string => roleNames[role]
