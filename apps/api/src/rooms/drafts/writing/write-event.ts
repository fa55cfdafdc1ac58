import { actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { EventKind } from '../drafts.table.ts'
import { type DraftRow, insertEvent } from './drafts.queries.ts'

/** Appends to the history of a draft. */
export async function writeEvent(
  tx: Tx,
  { tenant_id, id }: Pick<DraftRow, 'tenant_id' | 'id'>,
  event: { kind: EventKind; version: number; causes?: unknown; reason?: string | null },
): Promise<void> {
  const { kind, version, causes = [], reason = null } = event
  await insertEvent(tx.db, {
    tenant_id,
    id: newId(),
    draft_id: id,
    kind,
    version,
    causes: JSON.stringify(causes),
    reason,
    at: tx.at,
    actor: actorKey(tx.actor),
  })
}
