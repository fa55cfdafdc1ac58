import { invalidField } from '../../lib/app-error.ts'
import { dayAt } from '../../lib/calendar.ts'
import type { Tx } from '../../store/change/change.ts'
import { getTenant } from '../identity/identity.ts'

/** A follow-up date before today is usually a typing error, and the prospect would be overdue at once. The day is that of the workspace. */
export async function requireTodayOrLater(tx: Tx, followUpOn: string): Promise<void> {
  const { timeZone } = await getTenant(tx.db, tx.actor.tenantId)
  if (followUpOn >= dayAt(tx.at, timeZone).toString()) return
  throw invalidField('followUpOn', 'in_past', 'This date is in the past. Choose today or later.')
}
