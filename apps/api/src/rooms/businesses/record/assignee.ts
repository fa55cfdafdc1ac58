import { AppError } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { isMember } from '../../identity/identity.ts'

/** Throws unless the assignee is an active member of the tenant or null. Errors: `assignee_not_a_member`. */
export async function requireAssignable(tx: Tx, assigneeId: string | null): Promise<void> {
  if (assigneeId === null || (await isMember(tx.db, tx.actor.tenantId, assigneeId))) return
  const message = 'This person is not an active member of the workspace.'
  throw new AppError('assignee_not_a_member', message, {
    errors: [{ path: 'assigneeId', code: 'assignee_not_a_member', message }],
  })
}
