import { AppError } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { limits } from '../businesses.schema.ts'
import { getActiveBusiness } from './business-state.ts'
import { editBusiness } from './edit-business.ts'

/**
 * Adds a web domain to a record within a change of another room, as an edit with its own event. A record that has the domain stays unchanged. A
 * matching suppression marks the record. Errors: `not_found`, `business_not_active`, `conflict` (the record has the maximum number of domains).
 */
export async function addDomain(tx: Tx, id: string, domain: string): Promise<void> {
  const { domains, version } = await getActiveBusiness(tx, id)
  if (domains.some(({ normalized }) => normalized === domain)) return
  if (domains.length >= limits.identifiersOfAKind)
    throw new AppError('conflict', `The record has ${limits.identifiersOfAKind} web domains already. Remove one first.`)
  const asEdit: Tx = { ...tx, record: (entry) => tx.record({ action: 'business.edit', ...entry }) }
  const typed = domains.map(({ value, label }) => ({ value, label }))
  await editBusiness(asEdit, id, version, { domains: [...typed, { value: domain, label: null }] })
}
