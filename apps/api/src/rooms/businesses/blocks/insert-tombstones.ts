import { actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import {
  type ContactValue,
  gate,
  insertEntry,
  insertHistory,
  keyHasher,
  RULES_VERSION,
  recordKeyRanges,
  tombstoneKeysOf,
  visibleText,
} from '../../contact-gate/contact-gate.ts'
import { normalizeIdentifier } from '../../normalization/normalization.ts'
import { markByEntry } from './mark-by-entry.ts'

const REASON = 'Taken out of a record that is do not contact; only a hash of it is kept.'

/**
 * For identifiers that leave a business which is do not contact: what no entry blocks yet gets one that holds only hashes, so that the
 * same address is suppressed when it comes again, under whatever record, and nothing readable of it is kept. A domain that belongs
 * to everybody gets none; a page there gets one for itself. Answers how many there are now that were not before.
 */
export async function insertTombstones(tx: Tx, businessId: string, removed: readonly ContactValue[]): Promise<number> {
  const { tenantId } = tx.actor
  let kept = 0
  const left = removed.map((value) => ({ value, all: isPublicSuffix(value) ? [] : tombstoneKeysOf(value) }))
  // Each key for itself: of a value with two addresses an entry may be for the one alone.
  const asked = left.flatMap(({ value, all }) => all.map((key) => ({ value, key })))
  const matches = await gate(
    tx,
    tenantId,
    asked.map(({ value }) => value),
    asked.map(({ key }) => [key]),
  )
  const held = new Set(matches.map(({ index }) => asked[index]?.key))
  const hash = keyHasher(tx.keys, tenantId)
  const keyed = new Set<string>()
  for (const { value, all } of left) {
    if (whatIsRead(all).every((key) => held.has(key))) continue
    const keys = all.filter((key) => !held.has(key))
    // The same address in a record and in its evidence is one.
    if (keys.every((key) => keyed.has(key))) continue
    for (const key of keys) keyed.add(key)
    kept += 1
    const id = newId()
    const row = {
      tenant_id: tenantId,
      id,
      kind: value.kind,
      scope: 'exact',
      original: null,
      normalized: null,
      region: null,
      rules_version: RULES_VERSION,
      reason: REASON,
      requested_by: null,
      channel: 'internal',
      reference: null,
      requested_at: tx.at,
      created_at: tx.at,
      created_by: actorKey(tx.actor),
      confirmed_at: null,
      tombstone: 1,
      status: 'active',
      ended_at: null,
      ended_by: null,
      ended_reason: null,
    } as const
    await insertEntry(tx, row, keys.map(hash))
    const marked = await markByEntry(tx, id, keys.flatMap(recordKeyRanges), 'entry')
    await insertHistory(tx, id, { action: 'added', reason: REASON, channel: 'internal', records: marked })
    await tx.record({
      action: 'suppression.keep_tombstone',
      subject: { type: 'suppression', id },
      businessId,
      after: { kind: value.kind, businessesMarked: marked },
      reason: REASON,
    })
  }
  return kept
}

/** What was read in a value; its very text only where nothing was. */
function whatIsRead(keys: readonly string[]): readonly string[] {
  const read = keys.filter((key) => !key.startsWith('u:'))
  return read.length === 0 ? keys : read
}

function isPublicSuffix({ kind, value }: ContactValue): boolean {
  const text = visibleText(value)
  return kind === 'domain' && !text.includes('@') && normalizeIdentifier(kind, text).uncertainty === 'public_suffix'
}
