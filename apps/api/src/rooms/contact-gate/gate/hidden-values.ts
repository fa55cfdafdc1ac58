import type { Actor } from '../../../lib/actor.ts'

/** Replaces a contact value of a do-not-contact record for readers who may not see it. */
export const HIDDEN = '•••'

/** True if contact values of a record are hidden from this reader. A do-not-contact record serves its history and must not be used for contact. */
export function hidesValuesFrom(actor: Actor, { doNotContact }: { doNotContact: boolean }): boolean {
  return doNotContact && !actor.permissions.has('suppression.see_values')
}
