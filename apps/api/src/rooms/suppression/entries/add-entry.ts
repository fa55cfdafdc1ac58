import { actorKey } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { isInFuture } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { markByEntry } from '../../businesses/businesses.ts'
import {
  confirmEntry,
  findLiveEntry,
  insertEntry,
  insertHistory,
  RULES_VERSION,
  recordKeyRanges,
} from '../../contact-gate/contact-gate.ts'
import { getSuppression } from '../suppression.queries.ts'
import type { AddedSuppression, AddSuppression, Provenance } from '../suppression.schema.ts'
import { isRefused, type ReadEntry, readEntry } from './entry.rules.ts'
import { readTypedValue } from './read-line.rules.ts'

/**
 * Adds an entry, and in the same transaction marks every business that it matches as **Do not contact**. If an active entry has the same key, no
 * entry is added. The request is then inserted into the history of that entry and restarts its review term. Errors: `invalid_request` for a value
 * that would block nobody or everybody.
 */
export async function addSuppression(tx: Tx, input: AddSuppression): Promise<StoredAddition> {
  const read = readTypedValue(input)
  if ('code' in read) throw invalidField('value', read.code, read.message)
  requireProvenance(tx, input)
  return addOrConfirmEntry(tx, read.entry, input)
}

/** An addition, as it is stored with its Idempotency-Key. */
type StoredAddition = { id: string; created: boolean; marked: number }

/** Returns the added entry as of `at`, with the part of the typed value that is not stored. Errors: `not_found`. */
export async function getAdded(
  db: Tx['db'],
  { tenantId, at }: { tenantId: string; at: string },
  { id, created, marked }: StoredAddition,
  input: AddSuppression,
): Promise<AddedSuppression> {
  const read = readTypedValue(input)
  return {
    suppression: await getSuppression(db, tenantId, id, at),
    created,
    marked,
    ignored: 'code' in read ? null : read.ignored,
  }
}

/** Throws for an expiry, because entries do not expire, and for a request time in the future. */
export function requireProvenance(tx: Tx, { expiresAt, requestedAt }: Provenance): void {
  if (expiresAt != null) {
    throw invalidField(
      'expiresAt',
      'expiry_off',
      'Entries do not expire. Only an authorized person can remove an entry, with a reason. Leave the expiry out.',
    )
  }
  if (requestedAt !== undefined && isInFuture(requestedAt, tx.at))
    throw invalidField('requestedAt', 'in_future', 'This time is in the future.')
}

/** A value of a prospect in normalized form, which a file of another room names. */
export type NormalizedValue = { kind: 'email' | 'phone'; normalized: string }

/** Returns the entry for such a value; undefined if an entry for it would block nobody, for example because a digit is missing. */
export function entryOf({ kind, normalized: value }: NormalizedValue): ReadEntry | undefined {
  const read = readEntry({ kind, value, region: null, scope: 'exact', acceptUnknownSuffix: true })
  return isRefused(read) ? undefined : read
}

/**
 * Adds an entry and marks the businesses that it matches, or adds the request to the history of the active entry with the same key. `businessId`: the
 * business in whose activity the event is listed.
 */
export async function addOrConfirmEntry(
  tx: Tx,
  read: ReadEntry,
  { reason, requestedBy, channel, reference, requestedAt = tx.at }: Provenance,
  businessId?: string,
): Promise<StoredAddition> {
  const { tenantId } = tx.actor
  const provenance = { reason, requested_by: requestedBy, channel, reference, requested_at: requestedAt }
  const about = { kind: read.kind, scope: read.scope, channel, reference }
  const listed = businessId === undefined ? {} : { businessId }
  const entryId = await findLiveEntry(tx.db, tenantId, read.key)
  if (entryId !== undefined) {
    await confirmEntry(tx, entryId)
    await insertHistory(tx, entryId, { action: 'requested_again', ...provenance, records: 0 })
    await tx.record({
      action: 'suppression.request_again',
      subject: { type: 'suppression', id: entryId },
      ...listed,
      after: about,
      reason,
    })
    return { id: entryId, created: false, marked: 0 }
  }
  const id = newId()
  const row = {
    tenant_id: tenantId,
    id,
    kind: read.kind,
    scope: read.scope,
    original: read.value,
    normalized: read.normalized,
    region: read.region,
    rules_version: RULES_VERSION,
    ...provenance,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    confirmed_at: null,
    tombstone: 0,
    status: 'active',
    ended_at: null,
    ended_by: null,
    ended_reason: null,
  } as const
  await insertEntry(tx, row, [read.key])
  const marked = await markByEntry(tx, id, recordKeyRanges(read.key), 'entry')
  await insertHistory(tx, id, { action: 'added', ...provenance, records: marked })
  await tx.record({
    action: 'suppression.add',
    subject: { type: 'suppression', id },
    ...listed,
    after: { ...about, businessesMarked: marked },
    reason,
  })
  return { id, created: true, marked }
}
