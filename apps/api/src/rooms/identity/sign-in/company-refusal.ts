import { AppError } from '../../../lib/app-error.ts'
import type { CompanyRefused } from '../company/id-token.ts'
import type { Accounts } from '../sessions/account-context.ts'

/**
 * Returns the error for a refused answer of the provider. It takes the time of a wrong password, so that the time of a refusal does not reveal how
 * far the check came.
 */
export async function refused(
  { verifyPassword }: Accounts,
  { reason, message, cause }: CompanyRefused,
): Promise<AppError> {
  await verifyPassword(undefined, '')
  return new AppError('company_sign_in_refused', message, { reason, cause })
}
