import { AppError, invalidField } from '../../../lib/app-error.ts'
import { change } from '../../../store/change/change.ts'
import { recordFailure } from '../accounts/account-failures.ts'
import { setPasswordHash } from '../accounts/users.queries.ts'
import { findCredentialsOfUser } from '../identity.queries.ts'
import { deleteResetsOf } from '../links/links.queries.ts'
import { hashPassword, refuseWeakPassword } from '../passwords/passwords.ts'
import type { Accounts, Caller } from '../sessions/account-context.ts'
import { endSessionsOf } from '../sessions/own-sessions.ts'
import { rotateToken } from '../sessions/sessions.ts'

/**
 * Replaces the caller's password. All of the caller's other sessions end, and the current one gets a new token, which is returned. Errors:
 * `password_incorrect`; `invalid_request` with `weak_password` at `newPassword`; `rate_limited`.
 */
export async function changePassword(
  accounts: Accounts,
  caller: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<string> {
  const { store, proofLimits, passwordCost } = accounts
  const { actor, sessionId, client, device } = caller
  const { userId, tenantId, correlationId } = actor
  const attempt = { account: `password ${userId}`, address: client.address ?? '', device }
  proofLimits.take(attempt)
  const user = await findCredentialsOfUser(store.reader, userId)
  if (user === undefined || !(await accounts.verifyPassword(user.passwordHash, currentPassword))) {
    await recordFailure(store, { action: 'password.fail', tenantId, userId, client, correlationId, by: 'change' })
    throw new AppError('password_incorrect', 'The current password is incorrect.')
  }
  proofLimits.giveBack(attempt)
  if (newPassword.normalize('NFC') === currentPassword.normalize('NFC')) {
    throw invalidField('newPassword', 'weak_password', 'Choose a password that differs from the current password.')
  }
  refuseWeakPassword('newPassword', newPassword, user.email)
  const passwordHash = await hashPassword(newPassword, passwordCost)
  const { value } = await change(store, actor, { permission: null, action: 'password.change' }, async (tx) => {
    const isSet = await setPasswordHash(tx.db, userId, { passwordHash, was: user.passwordHash, mustChange: false })
    if (!isSet) throw new AppError('conflict', 'The password was changed in the meantime.')
    // Deletes the person's reset links, because a link from before this change can still be valid.
    await deleteResetsOf(tx.db, userId)
    await tx.record({ subject: { type: 'user', id: userId }, after: { ...client } })
    await endSessionsOf(tx, userId, { except: sessionId, after: { ...client } })
    return rotateToken(tx, sessionId, { password_at: tx.at })
  })
  return value
}
