import type { Actor } from '../../../lib/actor.ts'

/** Replaces a contact value of a do-not-contact record for readers who may not see it. */
export const HIDDEN = '•••'

/** Whether contact values of a record are hidden from this reader: a do-not-contact record is for its history, not for use. */
export function hidesValuesFrom(actor: Actor, { doNotContact }: { doNotContact: boolean }): boolean {
  return doNotContact && !actor.permissions.has('suppression.see_values')
}
