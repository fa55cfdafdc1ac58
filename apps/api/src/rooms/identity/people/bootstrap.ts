import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { addTenant, addUser, requireValidUser, systemActor } from '../accounts/tenants-and-users.ts'
import { countUsers } from '../identity.queries.ts'
import { hashPassword } from '../passwords/passwords.ts'

const tenant = { name: 'Main', timeZone: 'Africa/Johannesburg' }

/**
 * Provisions a new installation (Authentication 4). On a store without users, creates a tenant and its administrator as one audited change and
 * returns true. The administrator must set another password at the first sign-in. On a store with users it does nothing and returns false, whatever
 * the variables contain. Errors: `invalid_request` with a sentence for the operator, which contains neither the email address nor the password.
 */
export async function bootstrapAdministrator(
  store: Store,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  if ((await countUsers(store.reader)) > 0) return false
  const user = { email, name: 'Administrator', role: 'administrator' } as const
  refuseUnfit({ ...user, password })
  const passwordHash = await hashPassword(password)
  const actor = systemActor('bootstrap', newId())
  const { value } = await change(store, actor, { permission: null, action: 'user.create' }, async (tx) => {
    if ((await countUsers(tx.db)) > 0) return unchanged(false)
    await addTenant(tx, tenant)
    await addUser(tx, { ...user, passwordHash, mustChangePassword: true })
    return true
  })
  return value
}

/** Throws for values that are not acceptable. The error names the environment variable. */
function refuseUnfit(user: Parameters<typeof requireValidUser>[0]): void {
  try {
    requireValidUser(user)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const sentences = (error.details.errors ?? []).map(
      ({ path, message }) => `BOOTSTRAP_ADMIN_${path.toUpperCase()} is not acceptable: ${message}`,
    )
    throw new AppError('invalid_request', sentences.join(' '), { cause: error })
  }
}
