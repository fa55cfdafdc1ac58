import type { Role } from '@prospect/api-client'
import { fieldName } from '../../ui/text/field-names.ts'
import { roleName } from './role-names.ts'

const permissionNames: Record<string, string> = {
  'businesses.read': 'See prospects',
  'businesses.write': 'Create and edit prospects',
  'businesses.block': 'Mark a prospect as do not contact',
  'evidence.read': 'See evidence',
  'evidence.write': 'Add evidence',
  'notes.read': 'See notes',
  'notes.write': 'Write notes',
  'notes.read_sensitive': 'Read sensitive notes',
  'reports.read': 'See reports',
  'reports.create': 'Make reports',
  'exports.create': 'Export prospects and reports',
  'exports.read': 'See and fetch exports',
  'interactions.read': 'See interactions',
  'interactions.write': 'Record interactions',
  'suppression.read': 'See suppression entries',
  'suppression.add': 'Suppress addresses, numbers and domains',
  'suppression.see_values': 'See contact values of records that are do not contact',
  'suppression.remove': 'Remove suppressions and lift blocks',
  'erasure.erase': 'Erase prospects for good',
  'pipeline.read': 'See the pipeline',
  'pipeline.move': 'Move prospects through the pipeline',
  'pipeline.configure': 'Set up the pipeline',
  'matching.read': 'See suggested duplicates and merges',
  'matching.reject': 'Reject suggested duplicates',
  'matching.run': 'Have all records looked through for duplicates',
  'matching.merge': 'Merge records',
  'matching.reverse': 'Undo merges',
  'audit.read': 'See the audit log',
  'audit.verify': 'Verify the audit log',
  'jobs.read': 'See jobs',
  'jobs.create': 'Create jobs',
  'jobs.cancel': 'Cancel jobs',
  'jobs.retry': 'Retry jobs',
  'sample_data.create': 'Fill an empty tenant with sample prospects',
  'sources.preview': 'Preview CSV files',
  'users.manage': 'Invite people and manage their accounts',
  'tenant.configure': 'Set the name and time zone of the tenant, and the term of suppression entries',
}

export function permissionName(permission: string): string {
  return permissionNames[permission] ?? fieldName(permission)
}

const roles: Role[] = ['administrator', 'manager', 'operator', 'viewer']

export const roleOptions = roles.map((role) => ({ value: role, label: roleName(role) }))

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value)

const roleTexts: Record<Role, string> = {
  administrator: 'Everything, people and tenant settings among it.',
  manager: 'All of the work, sensitive notes and the audit log; no people, no tenant settings.',
  operator: 'The daily work: records, evidence, notes, the pipeline.',
  viewer: 'Reads, and changes nothing.',
}

export const roleText = (role: Role): string => roleTexts[role]
