import type { AuditAction } from '../../../lib/declared.ts'

/**
 * Events whose loss or forgery would free somebody who asked not to be contacted, or change who may do what: a checkpoint covers them at once.
 * All others are covered within a minute.
 */
export const signedAtOnce: readonly AuditAction[] = [
  // a block or a suppression ends
  'business.unblock',
  'suppression.remove',
  // a record is erased
  'business.erase',
  // somebody gets a role, another one, or loses it
  'membership.create',
  'tenant.create',
  'user.change_role',
  'user.create',
  'user.disable',
  'user.enable',
  'user.join',
  'user.remove',
]
