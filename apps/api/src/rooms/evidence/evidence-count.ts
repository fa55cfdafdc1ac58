import type { Tx } from '../../store/change/change.ts'
import { setEvidenceCount } from '../businesses/businesses.ts'

/** Counts the observations of a record again, after a merge or a reversal changed which records are merged into it. */
export async function refreshEvidenceCount(tx: Tx, id: string): Promise<void> {
  const { own } = await tx.db
    .selectFrom('evidence')
    .select(({ fn }) => fn.countAll<number>().as('own'))
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('business_id', '=', id)
    .executeTakeFirstOrThrow()
  await setEvidenceCount(tx, id, own)
}
