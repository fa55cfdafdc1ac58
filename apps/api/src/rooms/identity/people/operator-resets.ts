import { AppError } from '../../../lib/app-error.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { canonicalEmail } from '../accounts/email.ts'
import { systemActor } from '../accounts/tenants-and-users.ts'
import { voidPassword } from '../accounts/users.queries.ts'
import { findCredentials, findFirstMembership, type Member } from '../identity.queries.ts'
import { type NewLink, newLink, RESET_LIFE_MS } from '../links/links.queries.ts'
import { endSessionsOf } from '../sessions/own-sessions.ts'
import { clearFactors } from './own-factors.ts'

/**
 * Creates a password reset link on behalf of the platform's operator. It is for an administrator who has lost their password or factors, and for a
 * person who belongs to several tenants. Recorded in the tenant of the person's oldest membership. Errors: `not_found`.
 */
export async function resetPasswordByOperator(store: Store, email: string): Promise<NewLink> {
  const { tenantId, userId } = await getMemberByEmail(store, email)
  const actor = systemActor('command line', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'user.reset_password' }, async (tx) => {
    const link = await newLink(tx, { purpose: 'password_reset', userId, lifeMs: RESET_LIFE_MS })
    await voidPassword(tx.db, userId)
    await tx.record({ subject: { type: 'user', id: userId }, after: { expiresAt: link.expiresAt } })
    await endSessionsOf(tx, userId)
    return link
  })
  return value
}

/** Removes all second factors of a person, on behalf of the platform's operator. Errors: `not_found`. */
export async function resetFactorsByOperator(store: Store, email: string): Promise<void> {
  const { tenantId, userId } = await getMemberByEmail(store, email)
  const actor = systemActor('command line', tenantId)
  await change(store, actor, { permission: null, action: 'mfa.reset' }, async (tx) => {
    await clearFactors(tx, userId)
    await tx.record({ subject: { type: 'user', id: userId } })
    await endSessionsOf(tx, userId)
  })
}

async function getMemberByEmail(store: Store, email: string): Promise<Member> {
  const user = await findCredentials(store.reader, canonicalEmail(email))
  const member = user === undefined ? undefined : await findFirstMembership(store.reader, user.id)
  if (member === undefined) throw new AppError('not_found', 'There is no active user with this email address.')
  return member
}
