import { fingerprint } from '../../../lib/hashing.ts'
import { type Business, fold } from '../../businesses/businesses.ts'
import { normalizeIdentifier } from '../../normalization/normalization.ts'
import type { Channel, Purpose, RecipientKind } from '../drafts.table.ts'

/** A recipient has no id: it is a kind and a value, looked up in the record again at every check. */
export type Recipient = { kind: RecipientKind; value: string; normalized: string }
export type Citation = { marker: number; evidenceId: string; evidenceHash: string; quote: string | null }
export type Acknowledgement = { evidenceId: string; reason: string }

/** A version of a draft. */
export type DraftContent = {
  jurisdiction: string
  channel: Channel
  purpose: Purpose
  language: string
  recipient: Recipient
  subject: string | null
  text: string
  citations: readonly Citation[]
  noCitationReason: string | null
  acknowledgements: readonly Acknowledgement[]
}

/** The postal address of a record in one line; empty when it has none. */
function postalAddressOf({ address }: Pick<Business, 'address'>): string {
  const { street, suburb, city, province, postalCode, country } = address
  return [street, suburb, city, province, postalCode, country].filter((part) => part !== null).join(', ')
}

/**
 * A recipient with the value by which recipients are compared, looked up in the record: a local number there has a country. A value that is
 * not on the record is normalized alone, or compared as text.
 */
export function findRecipient(
  business: Pick<Business, 'emails' | 'phones' | 'address'>,
  { kind, value }: { kind: RecipientKind; value: string },
): Recipient & { isOnRecord: boolean } {
  const text = fold(value)
  if (kind === 'address') {
    const isOnRecord = text !== '' && fold(postalAddressOf(business)) === text
    return { kind, value, normalized: text, isOnRecord }
  }
  const alone = normalizeIdentifier(kind, value).normalized
  const own = (kind === 'email' ? business.emails : business.phones).find(
    (one) => fold(one.value) === text || (alone !== null && one.normalized === alone),
  )
  return { kind, value, normalized: own?.normalized ?? alone ?? text, isOnRecord: own !== undefined }
}

/** The kind of recipient that a channel reaches. */
export const recipientOfChannel: Readonly<Record<Channel, RecipientKind>> = {
  email: 'email',
  sms: 'phone',
  letter: 'address',
  call_script: 'phone',
}

/** Returns the hash of the content to which an approval is bound. Title and assignee are not part of it. */
export function contentHashOf(content: DraftContent): string {
  const { citations, acknowledgements, recipient, ...rest } = content
  return fingerprint({
    ...rest,
    recipient: { kind: recipient.kind, value: recipient.value },
    citations: citations
      .map(({ marker, evidenceId, quote }) => ({ marker, evidenceId, quote }))
      .toSorted((a, b) => a.marker - b.marker),
    acknowledgements: acknowledgements.toSorted((a, b) => (a.evidenceId < b.evidenceId ? -1 : 1)),
  })
}
