import type { Actor } from '../../../lib/actor.ts'

/** Stands where a contact value would, for somebody who may not see those of a record that is do not contact. */
export const HIDDEN = '•••'

/** Whether this person sees no contact values of a record that is do not contact: the record is for its history, not for use. */
export function hidesValuesFrom(actor: Actor, { doNotContact }: { doNotContact: boolean }): boolean {
  return doNotContact && !actor.permissions.has('suppression.see_values')
}
