import { sql } from 'kysely'
import { actorKey } from '../../../lib/actor.ts'
import type { Tx } from '../../../store/change/change.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { prepared, preparedWrite } from '../../../store/engine/prepared.ts'
import type { BlockedThrough, BusinessTable } from '../businesses.table.ts'

/*
 * Functions that write the block columns of `businesses`. Outside this file only the insert of a new row and an erasure write them. Every function
 * increments the version of the rows that it changes. Marks by suppression entries and blocks that a merge copies do not change `updated_at`, so an
 * entry that marks 10,000 records does not reorder lists. The callers in this folder record the audit events.
 */

export type BlockColumns = Pick<
  BusinessTable,
  'do_not_contact' | 'blocked_at' | 'blocked_by' | 'blocked_reason' | 'blocked_through'
>

/** The block reason of every record that a suppression entry marks. Readers who may see entries also see the entry. */
export const MATCHED_REASON = 'The record matches an entry of the do-not-contact list.'

export const unblocked: BlockColumns = {
  do_not_contact: 0,
  blocked_at: null,
  blocked_by: null,
  blocked_reason: null,
  blocked_through: null,
}

/** Returns the block columns of a record that a suppression entry marks, with the actor as author. */
export function markedBy(tx: Tx): BlockColumns {
  return {
    do_not_contact: 1,
    blocked_at: tx.at,
    blocked_by: actorKey(tx.actor),
    blocked_reason: MATCHED_REASON,
    blocked_through: 'suppression',
  }
}

export function isBlockedByHand({ blocked_through }: Pick<BusinessTable, 'blocked_through'>): boolean {
  return blocked_through === 'hand' || blocked_through === 'both'
}

/**
 * Marks businesses as do not contact for one suppression entry, with the person who added the entry as author. Returns the ids that were not blocked
 * before.
 */
export async function markRows(
  tx: Tx,
  businessIds: readonly string[],
  { suppressionId, at }: { suppressionId: string; at: string },
): Promise<string[]> {
  const ids = JSON.stringify(businessIds)
  const marked = await markUnblocked(tx.db, { tenantId: tx.actor.tenantId, ids, suppressionId, at })
  if (marked.length < businessIds.length) await markByHand(tx.db, { tenantId: tx.actor.tenantId, ids })
  return marked.map(({ id }) => id)
}

/** Prepared once, like the next statement, because a registry round runs both for each of a hundred thousand entries. */
const markUnblocked = prepared<{ tenantId: string; ids: string; suppressionId: string; at: string }>()((db, param) =>
  db
    .updateTable('businesses')
    .set(({ eb, selectFrom }) => ({
      version: eb('version', '+', 1),
      do_not_contact: 1,
      blocked_through: 'suppression',
      blocked_at: param('at'),
      blocked_by: selectFrom('suppressions as s')
        .select('s.created_by')
        .where('s.tenant_id', '=', param('tenantId'))
        .where('s.id', '=', param('suppressionId')),
      blocked_reason: MATCHED_REASON,
    }))
    .where('tenant_id', '=', param('tenantId'))
    .where('id', 'in', inList(param('ids')))
    .where('do_not_contact', '=', 0)
    .returning('id'),
)

const markByHand = preparedWrite<{ tenantId: string; ids: string }>()((db, param) =>
  db
    .updateTable('businesses')
    .set(({ eb }) => ({ version: eb('version', '+', 1), blocked_through: 'both' }))
    .where('tenant_id', '=', param('tenantId'))
    .where('id', 'in', inList(param('ids')))
    .where('blocked_through', '=', 'hand'),
)

/** Removes the mark from businesses that no live suppression entry matches any more. A manual block remains. */
export async function freeRows(tx: Tx, businessIds: readonly string[]): Promise<void> {
  const unmatched = () =>
    ofTenant(tx, businessIds).where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('suppression_matches as m')
            .select('m.live')
            .whereRef('m.tenant_id', '=', 'businesses.tenant_id')
            .whereRef('m.business_id', '=', 'businesses.id')
            .where('m.live', '=', 1),
        ),
      ),
    )
  await unmatched().set(unblocked).where('blocked_through', '=', 'suppression').execute()
  await unmatched().set({ blocked_through: 'hand' }).where('blocked_through', '=', 'both').execute()
}

/** Blocks a business manually, whether or not a suppression entry marked it. */
export async function blockRow(
  tx: Tx,
  id: string,
  block: Pick<BlockColumns, 'blocked_at' | 'blocked_by' | 'blocked_reason'> & { updated_at?: string },
): Promise<void> {
  const through = sql<BlockedThrough>`CASE WHEN do_not_contact = 1 THEN 'both' ELSE 'hand' END`
  await ofTenant(tx, [id])
    .set({ ...block, do_not_contact: 1, blocked_through: through })
    .execute()
}

/** Gives a manual block another person, time and reason. */
export async function replaceBlock(
  tx: Tx,
  id: string,
  block: Pick<BlockColumns, 'blocked_at' | 'blocked_by' | 'blocked_reason'>,
): Promise<void> {
  await ofTenant(tx, [id])
    .set({ ...block, updated_at: tx.at })
    .execute()
}

/** Lifts a manual block. If a suppression entry marked the record, it remains blocked by the entry. */
export async function liftRow(tx: Tx, id: string, { isMarked }: { isMarked: boolean }): Promise<void> {
  const columns = isMarked ? markedBy(tx) : unblocked
  await ofTenant(tx, [id])
    .set({ ...columns, updated_at: tx.at })
    .execute()
}

function ofTenant(tx: Tx, businessIds: readonly string[]) {
  return tx.db
    .updateTable('businesses')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', 'in', inList(businessIds))
}
