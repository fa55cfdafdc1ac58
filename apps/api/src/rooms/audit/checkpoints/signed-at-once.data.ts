import type { AuditAction } from '../../../lib/declared.ts'

/**
 * Actions whose events are signed at once. If such an event were lost or forged, a person who asked not to be contacted would lose their block, or
 * permissions would change. All other events are signed within a minute.
 */
export const signedAtOnce: readonly AuditAction[] = [
  // a block or a suppression ends
  'business.unblock',
  'suppression.remove',
  // a record or a person is erased
  'business.erase',
  'person.erase',
  // a person gets, changes or loses a role
  'membership.create',
  'tenant.create',
  'user.change_role',
  'user.create',
  'user.disable',
  'user.enable',
  'user.join',
  'user.remove',
]
