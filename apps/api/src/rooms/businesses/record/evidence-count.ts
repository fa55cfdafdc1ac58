import { sql } from 'kysely'
import type { Tx } from '../../../store/change/change.ts'
import { MAX_FAMILY } from '../family/max-family.ts'

/*
 * Number of observations of a record and of the records merged into it: the same ones as in the record's list of evidence, superseded ones included.
 * The evidence room reads the observations and calls these functions. Version and `updated_at` do not change, so that new evidence causes no conflict
 * for a person who is editing the record.
 */

/** Adds a new observation of a record to its count, and to that of every record that it was merged into. */
export async function countNewEvidence(tx: Tx, id: string): Promise<void> {
  let one: string | null = id
  for (let step = 0; one !== null && step < MAX_FAMILY; step++) {
    const counted: { merged_into: string | null; has_evidence: 0 | 1 } | undefined = await tx.db
      .updateTable('businesses')
      .set(({ eb }) => ({ evidence_count: eb('evidence_count', '+', 1) }))
      .where('tenant_id', '=', tx.actor.tenantId)
      .where('id', '=', one)
      .returning(['merged_into', 'has_evidence'])
      .executeTakeFirst()
    // A separate statement, because setting this column makes triggers update the stored counts of records.
    if (counted?.has_evidence === 0)
      await tx.db
        .updateTable('businesses')
        .set({ has_evidence: 1 })
        .where('tenant_id', '=', tx.actor.tenantId)
        .where('id', '=', one)
        .execute()
    one = counted?.merged_into ?? null
  }
}

/** Stores the number of observations of a record: `own`, and the stored numbers of the records merged into it. */
export async function setEvidenceCount(tx: Tx, id: string, own: number): Promise<void> {
  const { tenantId } = tx.actor
  await sql`UPDATE businesses SET evidence_count = ${own}
      + (SELECT coalesce(sum(m.evidence_count), 0) FROM businesses AS m WHERE m.tenant_id = ${tenantId} AND m.merged_into = ${id})
    WHERE tenant_id = ${tenantId} AND id = ${id}`.execute(tx.db)
}
