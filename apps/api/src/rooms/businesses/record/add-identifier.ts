import { AppError } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { normalizeIdentifier } from '../../normalization/normalization.ts'
import { limits } from '../businesses.schema.ts'
import { getActiveBusiness } from './business-state.ts'
import { editBusiness } from './edit-business.ts'

export type AddedIdentifier = {
  kind: 'email' | 'phone' | 'domain'
  value: string
  label?: string | null
  /** country of a phone number in local form */
  region?: string | null
}

const fields = { email: 'emails', phone: 'phones', domain: 'domains' } as const
const nouns = { email: 'email addresses', phone: 'phone numbers', domain: 'web domains' } as const

/**
 * Adds an email address, a phone or a web domain to a record within the change of another room, as an edit with its own event. If the record already
 * has the value, nothing changes. If a suppression entry matches the value, the record is marked. Errors: `not_found`, `business_not_active`,
 * `conflict` (the record has the maximum number of identifiers of this kind).
 */
export async function addIdentifier(
  tx: Tx,
  id: string,
  { kind, value, label = null, region = null }: AddedIdentifier,
): Promise<void> {
  const business = await getActiveBusiness(tx, id)
  const { normalized } = normalizeIdentifier(kind, value, region)
  const known = business[fields[kind]]
  const isSame = (one: (typeof known)[number]) =>
    one.value === value || (normalized !== null && one.normalized === normalized)
  if (known.some(isSame)) return
  if (known.length >= limits.identifiersOfAKind)
    throw new AppError(
      'conflict',
      `The record has ${limits.identifiersOfAKind} ${nouns[kind]} already. Remove one first.`,
    )
  const asEdit: Tx = { ...tx, record: (entry) => tx.record({ action: 'business.edit', ...entry }) }
  const typed = known.map((one) => ({
    value: one.value,
    label: one.label,
    ...(kind === 'phone' ? { region: one.region ?? null } : {}),
  }))
  const added = { value, label, ...(kind === 'phone' ? { region } : {}) }
  await editBusiness(asEdit, id, business.version, { [fields[kind]]: [...typed, added] })
}
