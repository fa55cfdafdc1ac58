import { actorKey } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import type { AssistEventTable } from './assist.table.ts'

type NewEvent = Pick<AssistEventTable, 'subject' | 'kind' | 'code'> & { subjectId: string }

/** Appends to the history of a policy or a suggestion, in the change that did it. Codes only, never texts. */
export async function insertEvent(tx: Tx, { subject, subjectId, kind, code }: NewEvent): Promise<void> {
  await tx.db
    .insertInto('assist_events')
    .values({
      tenant_id: tx.actor.tenantId,
      id: newId(),
      subject,
      subject_id: subjectId,
      kind,
      code,
      at: tx.at,
      actor: actorKey(tx.actor),
    })
    .execute()
}
