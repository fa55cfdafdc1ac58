import type { Actor } from '../../../lib/actor.ts'

/** Text that replaces a contact value of a do-not-contact record for readers who may not see it. */
export const HIDDEN = '•••'

/**
 * True if the contact values of a record are hidden from this reader. A do-not-contact record is stored for its history and must not be used for
 * contact.
 */
export function hidesValuesFrom(actor: Actor, { doNotContact }: { doNotContact: boolean }): boolean {
  return doNotContact && !actor.permissions.has('suppression.see_values')
}
