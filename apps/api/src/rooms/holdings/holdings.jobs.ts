import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { defineJobKind } from '../jobs/jobs.ts'
import { getHoldingRow, updateHolding } from './holdings.queries.ts'
import { writeHolding } from './write-holding.ts'

/** Job that writes everything held about one prospect or one value. If it ends without a file, the collection has failed. */
export const holdingJob = defineJobKind({
  kind: 'holding',
  title: 'Collect everything held',
  permission: 'holdings.create',
  input: z.strictObject({ holdingId: recordId }),
  isOffered: false,
  timeoutMs: 600_000,
  maxAttempts: 2,
  isCancellable: true,
  touches:
    'Reads what every room holds about one prospect or one contact value, asks the suppression gate, and writes a file that is kept for a day.',
  run: (context, { holdingId }) => writeHolding(context, holdingId),
  onEnd: async (tx, { holdingId }) => {
    const row = await getHoldingRow(tx.db, tx.actor.tenantId, holdingId)
    if (row.file !== null || row.ended_at !== null) return
    await updateHolding(tx.db, row, {
      value: null,
      value_normalized: null,
      ended_at: tx.at,
      ended_because: 'failed',
    })
    await tx.record({
      action: 'holding.fail',
      subject: { type: 'holding', id: holdingId },
      after: { status: 'failed' },
    })
  },
})
