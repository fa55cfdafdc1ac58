import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { defineJobKind } from '../jobs/jobs.ts'
import { addHits } from './add-hits.ts'
import { readResult } from './read-result.ts'
import { recordRefusal } from './record-refusal.ts'

import { getRoundRow, updateRound } from './registry.queries.ts'
import { readConfirmationColumn, readResultColumn } from './registry.schema.ts'
import { writeRoundFile } from './write-round-file.ts'

const TIMEOUT_MS = 3_600_000
const MAX_ATTEMPTS = 3

/** Job that writes the file of a round. If it ends without a file, the round is cancelled, so that another one can start. */
export const registryFileJob = defineJobKind({
  kind: 'registry-file',
  title: 'Write a registry file',
  permission: 'registry.manage',
  input: z.strictObject({ roundId: recordId }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: MAX_ATTEMPTS,
  isCancellable: true,
  touches: 'Reads the contact values of the workspace, asks the suppression gate, and writes a file without names.',
  run: (context, { roundId }) => writeRoundFile(context, roundId),
  onEnd: async (tx, { roundId }) => {
    const { tenantId } = tx.actor
    const row = await getRoundRow(tx.db, tenantId, roundId)
    if (row.state !== 'preparing') return
    const because = 'The file was not written.'
    await updateRound(tx.db, row, { state: 'cancelled', cancelled_at: tx.at, cancelled_because: because })
    await tx.record({
      action: 'registry_round.cancel',
      subject: { type: 'registry_round', id: roundId },
      before: { state: row.state },
      after: { state: 'cancelled' },
      reason: because,
    })
  },
})

/** Job that reads an uploaded result and counts what it says. A file that is no result of the round is refused with a sentence. */
export const registryResultJob = defineJobKind({
  kind: 'registry-result',
  title: 'Read a registry result',
  permission: 'registry.manage',
  input: z.strictObject({ roundId: recordId, resultId: recordId }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: MAX_ATTEMPTS,
  isCancellable: true,
  touches: 'Reads an uploaded file and the contact values of the workspace; blocks nothing.',
  run: (context, { roundId, resultId }) => readResult(context, roundId, resultId),
  onEnd: async (tx, { roundId, resultId }) => {
    const row = await getRoundRow(tx.db, tx.actor.tenantId, roundId)
    const result = row.result === null ? null : readResultColumn(row.result)
    if (row.state !== 'awaiting_result' || result?.id !== resultId) return
    if (result.counts !== null || result.refusal !== null) return
    const refusal = 'Reading this file failed, or was cancelled. Upload it again.'
    await updateRound(tx.db, row, { result: JSON.stringify({ ...result, refusal }) })
    await recordRefusal(tx, roundId, refusal)
  },
})

/**
 * Job that adds the listed values to the do-not-contact list, in parts that each run once, and closes the round. If it ends without that, the round
 * waits for its result again: entries that were added stay, and the next run adds the others.
 */
export const registryConfirmationJob = defineJobKind({
  kind: 'registry-confirmation',
  title: 'Block what the registry lists',
  permission: 'registry.manage',
  input: z.strictObject({ roundId: recordId, resultId: recordId }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: MAX_ATTEMPTS,
  isCancellable: false,
  touches: 'Adds entries to the do-not-contact list and marks matching prospects; removes nothing.',
  run: (context, { roundId, resultId }) => addHits(context, roundId, resultId),
  onEnd: async (tx, { roundId }) => {
    const row = await getRoundRow(tx.db, tx.actor.tenantId, roundId)
    if (row.state !== 'confirming' || row.confirmation === null) return
    const confirmation = { ...readConfirmationColumn(row.confirmation), isStopped: true }
    await updateRound(tx.db, row, {
      state: 'awaiting_result',
      result: null,
      result_by: null,
      confirmation: JSON.stringify(confirmation),
    })
    await tx.record({
      action: 'registry_round.stop',
      subject: { type: 'registry_round', id: roundId },
      before: { state: 'confirming' },
      after: { state: 'awaiting_result' },
    })
  },
})
