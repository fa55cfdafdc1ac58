import { AppError } from '../../lib/app-error.ts'
import type { Store } from '../../store/store.ts'
import { canonicalEmail } from './email.ts'
import { findCredentials, findFirstMembership, type Member } from './identity.queries.ts'
import { verifyPassword } from './passwords.ts'
import type { SignInLimits } from './sign-in-limits.ts'

export type SignIn = { email: string; password: string; address: string }

/**
 * Whom these credentials let in, and where they enter. An unknown account, a disabled user, one without a tenant and a wrong
 * password are one answer after the same work, so nothing tells which accounts exist.
 * Errors: `invalid_credentials`, `rate_limited`.
 */
export async function checkCredentials(
  store: Store,
  limits: SignInLimits,
  { email, password, address }: SignIn,
): Promise<Member> {
  const attempt = { account: canonicalEmail(email), address }
  limits.take(attempt)
  const user = await findCredentials(store.reader, attempt.account)
  const member = await findFirstMembership(store.reader, user?.id ?? '')
  const isTheirs = await verifyPassword(user?.passwordHash, password)
  if (!isTheirs || user?.status !== 'active' || member === undefined) {
    throw new AppError('invalid_credentials', 'The e-mail address or the password is not right.')
  }
  limits.giveBack(attempt)
  return member
}
