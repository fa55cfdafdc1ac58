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
} from '../../contact-gate/contact-gate.ts'
import { likelyKind, normalizeIdentifier, visibleText } from '../../normalization/normalization.ts'
import { markByEntry } from './mark-by-entry.ts'

const REASON = 'Removed from a do-not-contact record; only a hash of it is stored.'

/**
 * Suppresses identifiers that leave a do not contact business. Each identifier that no entry blocks yet gets an entry with hashed keys only, so that
 * the same address is suppressed in any later record without storing it readably. A public suffix gets no entry; a page on a shared host gets an
 * entry for the page. Marks matching businesses and records an event for each entry. Returns the number of new entries.
 */
export async function insertTombstones(tx: Tx, businessId: string, removed: readonly ContactValue[]): Promise<number> {
  const { tenantId } = tx.actor
  let inserted = 0
  const left = removed.map((value) => ({ value, all: isPublicSuffix(value) ? [] : tombstoneKeysOf(value) }))
  // Check each key alone, because a value can contain two addresses and an entry may match only one of them.
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
    if (readKeysOf(all).every((key) => held.has(key))) continue
    const keys = all.filter((key) => !held.has(key))
    // An address that occurs both in the record and in its evidence needs only one entry.
    if (keys.every((key) => keyed.has(key))) continue
    for (const key of keys) keyed.add(key)
    inserted += 1
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
  return inserted
}

/** Returns the keys of the addresses that were parsed from a value. Returns the key of the whole text only if nothing was parsed. */
function readKeysOf(keys: readonly string[]): readonly string[] {
  const read = keys.filter((key) => !key.startsWith('u:'))
  return read.length === 0 ? keys : read
}

function isPublicSuffix({ kind, value }: ContactValue): boolean {
  const text = visibleText(value)
  return (
    kind === 'domain' && likelyKind(text) !== 'email' && normalizeIdentifier(kind, text).uncertainty === 'public_suffix'
  )
}
