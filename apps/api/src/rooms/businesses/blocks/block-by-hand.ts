import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { Business } from '../businesses.schema.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { MAX_FAMILY } from '../family/max-family.ts'
import { blockRow, isBlockedByHand, liftRow, replaceBlock } from './block-rows.ts'
import { recordCarriedBlock } from './carry-blocks.ts'

/**
 * Blocks a business manually, whatever its state (specification, Phase 12 §2 and §5). A business that is already blocked manually keeps its block and
 * its first reason, unless a merge copied that block: the person's own block replaces it, so that the reversal of the merge does not lift it
 * (`replacesCopy`; false for blocks of another store). A business that a suppression entry marked is then blocked by both. The block of a merged
 * business also blocks every record that it was merged into, up to one that is already blocked manually. An erased business cannot be blocked, because
 * it has no contact data left (docs/decisions/suppression-marks.md). Errors: `not_found`, `business_not_active`.
 */
export async function blockBusiness(
  tx: Tx,
  id: string,
  reason: string,
  { replacesCopy = true }: { replacesCopy?: boolean } = {},
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const business = await getUnerased(tx, id)
  const block = { blocked_at: tx.at, blocked_by: actorKey(tx.actor), blocked_reason: reason }
  if (business.doNotContact !== null && business.doNotContact.through !== 'suppression') {
    if (!replacesCopy || !(await isCarried(tx, id))) return unchanged({ id })
    await replaceBlock(tx, id, block)
    await recordBlock(tx, id, { wasBlocked: true, reason })
    return { id }
  }
  const survivors = await survivorsToBlock(tx, id)
  // Block survivors first. The database rejects a manual block on a record whose survivor is not blocked manually.
  for (const survivor of survivors.toReversed()) await blockRow(tx, survivor.id, block)
  await blockRow(tx, id, { ...block, updated_at: tx.at })
  for (const survivor of survivors) await recordCarriedBlock(tx, { from: id, to: survivor, reason })
  await recordBlock(tx, id, { wasBlocked: business.doNotContact !== null, reason })
  return { id }
}

async function recordBlock(
  tx: Tx,
  id: string,
  { wasBlocked, reason }: { wasBlocked: boolean; reason: string },
): Promise<void> {
  await tx.record({
    action: 'business.block',
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: wasBlocked },
    after: { doNotContact: true },
    reason,
  })
}

/** Returns true if the manual block of a record is a copy of that of a record merged into it. */
async function isCarried({ db, actor: { tenantId } }: Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('businesses as s')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 's.tenant_id').onRef('b.merged_into', '=', 's.id'),
    )
    .select('b.id')
    .where('s.tenant_id', '=', tenantId)
    .where('s.id', '=', id)
    .where('b.merged_into', 'is not', null)
    .whereRef('b.blocked_at', '=', 's.blocked_at')
    .whereRef('b.blocked_by', '=', 's.blocked_by')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Lifts a manual block with a reason and returns the id of the audit event. A business that a suppression entry matches remains
 * blocked by the entry alone. Records that the business was merged into remain blocked. Errors: `not_found`, `business_not_active`,
 * `not_blocked_by_hand`.
 */
export async function liftBlock(tx: Tx, id: string, reason: string): Promise<{ id: string; eventId: string }> {
  const { doNotContact: block } = await getUnerased(tx, id)
  if (block === null || block.through === 'suppression') {
    throw new AppError(
      'not_blocked_by_hand',
      block === null
        ? 'This prospect is not marked do not contact.'
        : 'Nobody marked this prospect by hand. An entry of the do-not-contact list blocks it. Remove that entry instead.',
    )
  }
  const isMarked = block.through === 'both'
  await liftRow(tx, id, { isMarked })
  const eventId = await tx.record({
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: true, reason: block.reason },
    after: { doNotContact: isMarked },
    reason,
  })
  return { id, eventId }
}

/** Returns a business that is not erased. A reason written to an erased record would be its only text, and no erasure would remove it. */
async function getUnerased(tx: Tx, id: string): Promise<Business> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.erasedAt !== null)
    throw new AppError('business_not_active', 'This record was erased, so it has no contact data.')
  return business
}

type Survivor = Pick<BusinessTable, 'id' | 'do_not_contact' | 'blocked_through'>

const survivorOf = prepared<{ tenantId: string; id: string }>()((db, param) =>
  db
    .selectFrom('businesses as b')
    .innerJoin('businesses as s', (join) =>
      join.onRef('s.tenant_id', '=', 'b.tenant_id').onRef('s.id', '=', 'b.merged_into'),
    )
    .select(['s.id', 's.do_not_contact', 's.blocked_through'])
    .where('b.tenant_id', '=', param('tenantId'))
    .where('b.id', '=', param('id')),
)

/** Returns the records that this record was merged into, nearest first, up to the first one that is already blocked manually. */
async function survivorsToBlock(tx: Tx, id: string): Promise<Survivor[]> {
  const { tenantId } = tx.actor
  const survivors: Survivor[] = []
  let [above] = await survivorOf(tx.db, { tenantId, id })
  while (above !== undefined && !isBlockedByHand(above) && survivors.length < MAX_FAMILY) {
    survivors.push(above)
    ;[above] = await survivorOf(tx.db, { tenantId, id: above.id })
  }
  return survivors
}
