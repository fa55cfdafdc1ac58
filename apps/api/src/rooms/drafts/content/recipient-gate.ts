import { AppError } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { type ContactValue, requireMayBeStored } from '../../contact-gate/contact-gate.ts'
import { reachesBlockedPerson } from '../../people/people.ts'
import type { Recipient } from './content.rules.ts'

/* The suppression gate for recipients of drafts and legal bases. A recipient need not be on its record, so a suppressed one does not mark the record. */

/** Returns the values of a recipient that the gate is asked about. A postal address is read as a text, in which the gate finds values. */
export function contactValuesOf({ kind, value, normalized }: Recipient): ContactValue[] {
  if (kind === 'address') return [{ kind: 'domain', value }]
  return [
    { kind, value },
    { kind, value: normalized },
  ]
}

/** Refuses a recipient that an entry matches, or that reaches a person at the business who is marked do not contact. Errors: `suppressed`. */
export async function requireRecipient(tx: Tx, businessId: string, recipient: Recipient): Promise<void> {
  const values = contactValuesOf(recipient)
  const [path, message] = ['recipient.value', 'This recipient is marked do not contact. Choose another recipient.']
  await requireMayBeStored(tx, values, { path, message })
  if (await reachesBlockedPerson(tx.db, tx.actor.tenantId, businessId, values))
    throw new AppError('suppressed', message, { errors: [{ path, code: 'suppressed', message }] })
}

/** A recipient as it is stored. null: there is none, or an erasure emptied it. */
export type StoredRecipient = {
  recipient_kind: Recipient['kind'] | null
  recipient_value: string | null
  recipient_normalized: string | null
}

/** Returns the values of a stored recipient that the gate is asked about before a reader sees it; none if there is no recipient. */
export function storedContactsOf(row: StoredRecipient): ContactValue[] {
  const { recipient_kind: kind, recipient_value: value, recipient_normalized: normalized } = row
  return kind === null || value === null ? [] : contactValuesOf({ kind, value, normalized: normalized ?? '' })
}
