import type { Tx } from '../../../store/change/change.ts'
import type { EndOfJob } from '../../jobs/jobs.ts'
import { findExtraction, updateExtraction } from './extractions.queries.ts'

/** Ends an extraction that its job left open because it was cancelled, failed or lost its process. Nothing of it was stored. */
export async function endExtraction(tx: Tx, extractionId: string, { status }: EndOfJob): Promise<void> {
  const key = { tenantId: tx.actor.tenantId, id: extractionId }
  const extraction = await findExtraction(tx.db, key)
  if (extraction === undefined || extraction.endedAt !== null) return
  const [state, reason] =
    status === 'cancelled' ? (['cancelled', 'cancelled'] as const) : (['unknown', 'content_gone'] as const)
  await updateExtraction(tx.db, key, { state, reasons: JSON.stringify([reason]), ended_at: tx.at })
  await tx.record({
    action: 'extraction.end',
    subject: { type: 'extraction', id: extractionId },
    businessId: extraction.businessId,
    after: { state, reasons: [reason] },
  })
}
