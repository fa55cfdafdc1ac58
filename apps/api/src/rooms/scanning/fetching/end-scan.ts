import type { Tx } from '../../../store/change/change.ts'
import type { EndOfJob } from '../../jobs/jobs.ts'
import { endQueriesOf } from '../../sources/sources.ts'
import { findScan, interruptPages, updateResult } from '../scans/scans.queries.ts'

/** Ends a scan that its job left open because it was cancelled, failed or lost its process. Pages that were already stored stay. */
export async function endScan(tx: Tx, scanId: string, end: EndOfJob): Promise<void> {
  await endQueriesOf(tx, end)
  const key = { tenantId: tx.actor.tenantId, id: scanId }
  const scan = await findScan(tx.db, key)
  if (scan === undefined || scan.endedAt !== null) return
  const [state, reason] =
    end.status === 'cancelled' ? (['cancelled', 'cancelled'] as const) : (['incomplete', 'interrupted'] as const)
  await interruptPages(tx.db, key)
  await updateResult(tx.db, key, { state, reasons: JSON.stringify([reason]), ended_at: tx.at })
  await tx.record({
    action: 'scan.end',
    subject: { type: 'scan', id: scanId },
    businessId: scan.businessId,
    after: { state, reasons: [reason] },
  })
}
