import { sql } from 'kysely'
import type { Tx } from '../../../store/change/change.ts'
import { MAX_FAMILY } from '../family/max-family.ts'

/*
 * Number of observations of a record and of the records merged into it: the same ones as in the record's list of evidence, superseded ones included.
 * The evidence room is in a higher tier, so SQL reads its table without an import. Version and `updated_at` do not change, so that new evidence
 * causes no conflict for a person who is editing the record.
 */

/** Adds a new observation of a record to its count, and to that of every record that it was merged into. Called by the evidence room. */
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

/** Counts the observations of a record again, after a merge or a reversal changed which records are merged into it. */
export async function refreshEvidenceCount(tx: Tx, id: string): Promise<void> {
  const { tenantId } = tx.actor
  await sql`UPDATE businesses SET evidence_count =
      (SELECT count(*) FROM evidence AS e WHERE e.tenant_id = ${tenantId} AND e.business_id = ${id})
      + (SELECT coalesce(sum(m.evidence_count), 0) FROM businesses AS m WHERE m.tenant_id = ${tenantId} AND m.merged_into = ${id})
    WHERE tenant_id = ${tenantId} AND id = ${id}`.execute(tx.db)
}
