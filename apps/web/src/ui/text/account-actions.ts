/** What happens to accounts, in words: for the security events and for the audit log, which both list them. */
type Deed = {
  /** As a kind of event: 'Sign-in'. */
  name: string
  /** After the name of whoever did it: 'signed in'. */
  did: string
}

export const accountActions: Record<string, Deed> = {
  'session.start': { name: 'Sign-in', did: 'signed in' },
  'session.fail': { name: 'Failed sign-in', did: 'refused a sign-in' },
  'session.end': { name: 'Sign-out', did: 'signed out' },
  'session.revoke': { name: 'Session ended', did: 'ended sessions' },
  'session.step_up': { name: 'Fresh proof', did: 'confirmed who they are' },
  'session.switch_tenant': { name: 'Switch of tenant', did: 'switched tenant' },
  'mfa.begin': { name: 'Second step begun', did: 'began to set up a second step' },
  'mfa.enrol': { name: 'Second step set up', did: 'set up a second step' },
  'mfa.remove': { name: 'Second step removed', did: 'removed a second step' },
  'mfa.reset': { name: 'Second step taken away', did: 'took the second step away' },
  'mfa.fail': { name: 'Failed second step', did: 'refused a second step' },
  'mfa.use_recovery_code': { name: 'Recovery code used', did: 'used a recovery code' },
  'mfa.renew_recovery_codes': { name: 'Recovery codes renewed', did: 'made new recovery codes' },
  'password.change': { name: 'Password changed', did: 'changed the password' },
  'password.rehash': { name: 'Password kept anew', did: 'had the password kept under new parameters' },
  'password.fail': { name: 'Failed password check', did: 'refused a password' },
  'user.create': { name: 'User created', did: 'created the user' },
  'membership.create': { name: 'User let in', did: 'let a user into the tenant' },
  'user.invite': { name: 'Invitation', did: 'invited a person' },
  'user.join': { name: 'Invitation accepted', did: 'joined the tenant' },
  'user.edit': { name: 'User edited', did: 'edited a user' },
  'user.change_role': { name: 'Role changed', did: 'changed a role' },
  'user.disable': { name: 'User disabled', did: 'disabled a user' },
  'user.enable': { name: 'User enabled', did: 'enabled a user' },
  'user.remove': { name: 'User deleted', did: 'deleted a user' },
  'user.reset_password': { name: 'Password reset', did: 'made a link to reset a password' },
  'invitation.withdraw': { name: 'Invitation withdrawn', did: 'withdrew an invitation' },
  'link.use': { name: 'One-time link used', did: 'used a one-time link' },
  'session.refuse': { name: 'Ended session used', did: 'refused a session that had ended' },
  'session.expire': { name: 'Expired session used', did: 'asked for a new sign-in: the session had expired' },
  'link.refuse': { name: 'Spent link used', did: 'refused a link that was used or had expired' },
  'link.fail': { name: 'Refused link', did: 'refused a one-time link' },
  'tenant.create': { name: 'Tenant created', did: 'created the tenant' },
  'tenant.configure': { name: 'Tenant settings', did: 'changed the tenant settings' },
}

/** What stands out in a list: something was refused. */
export const isRefusal = (action: string): boolean => /\.(fail|refuse)$/.test(action)
