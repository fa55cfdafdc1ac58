/*
 * Every permission and every role in one table (specification, Authentication 5). A route names the permission that it
 * asks for, `change()` asks again, and `GET /roles` shows this very table.
 */

/** From the most to the least; each role has all that the next one has. */
export const roles = ['administrator', 'manager', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

const reading = [
  'businesses.read',
  'evidence.read',
  'notes.read',
  'pipeline.read',
  'interactions.read',
  'jobs.read',
  'reports.read',
  'matching.read',
]
const dailyWork = [
  ...reading,
  'businesses.write',
  'businesses.block',
  'evidence.write',
  'notes.write',
  'pipeline.move',
  'matching.reject',
  'interactions.write',
  'reports.create',
  'jobs.create',
  'jobs.cancel',
  'jobs.retry',
  'sources.preview',
  'suppression.read',
  'suppression.add',
  'suppression.see_values',
]
const oversight = [
  ...dailyWork,
  'notes.read_sensitive',
  'audit.read',
  'audit.verify',
  'matching.run',
  'matching.merge',
  'matching.reverse',
  'exports.create',
  'exports.read',
]
const everything = [
  ...oversight,
  'suppression.remove',
  'erasure.erase',
  'pipeline.configure',
  'users.manage',
  'tenant.configure',
  'sample_data.create',
]

/** The permissions of each role, made once and shared by all requests. */
const permissionsByRole: Record<Role, ReadonlySet<string>> = {
  administrator: new Set(everything),
  manager: new Set(oversight),
  operator: new Set(dailyWork),
  viewer: new Set(reading),
}

export function permissionsOf(role: Role): ReadonlySet<string> {
  return permissionsByRole[role]
}

/** What the system itself holds when it acts, on a command line or at the first start. */
export const allPermissions = permissionsByRole.administrator
