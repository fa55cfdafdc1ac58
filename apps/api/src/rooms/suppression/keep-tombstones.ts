import { actorKey } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change.ts'
import { isRefused, readEntry } from './entry.rules.ts'
import { gate } from './gate.ts'
import { type ContactValue, RULES_VERSION, recordKeysOf, recordRangesOf } from './match-keys.rules.ts'
import { markInRanges } from './record-matches.ts'
import { addHistory, insertSuppression } from './suppression.queries.ts'
import { hasher } from './tombstones.ts'

const REASON = 'Taken out of a record that is do not contact; only a hash of it is kept.'

/**
 * For identifiers that leave a business which is do not contact: what no entry blocks yet gets one that holds only hashes, so that the
 * same address is suppressed when it comes again, under whatever record, and nothing readable of it is kept. A domain that belongs
 * to everybody gets none. Answers how many there are now that were not before.
 */
export async function keepTombstones(tx: Tx, businessId: string, removed: readonly ContactValue[]): Promise<number> {
  const { tenantId } = tx.actor
  let kept = 0
  const covered = new Set((await gate(tx, tenantId, removed)).map(({ index }) => index))
  const hash = hasher(tx.keys, tenantId)
  const keyed = new Set<string>()
  for (const [index, value] of removed.entries()) {
    if (covered.has(index) || belongsToEverybody(value)) continue
    const keys = recordKeysOf(value)
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
    await insertSuppression(tx, row, keys.map(hash))
    const marked = await markInRanges(tx, id, keys.flatMap(recordRangesOf), 'entry')
    await addHistory(tx, id, { action: 'added', reason: REASON, channel: 'internal', records: marked })
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

function belongsToEverybody({ kind, value, region = null }: ContactValue): boolean {
  if (kind !== 'domain') return false
  const read = readEntry({ kind, value, region, scope: 'exact' })
  return isRefused(read) && (read.code === 'public_suffix' || read.code === 'free_mail')
}
