import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { createJob } from '../../jobs/jobs.ts'
import { contentOf, getVersionRow, requireApproved } from '../rule-sets/rule-sets.queries.ts'
import { scoreRun } from '../scoring.jobs.ts'
import { findActiveGeneration, findUnendedRun, insertRun } from './runs.queries.ts'
import type { CreateRun } from './runs.schema.ts'

/**
 * Requests a recalculation: stores the run and queues its job. A workspace can have one unfinished run. Errors: `not_found`, `not_approved`,
 * `content_changed`, `conflict` (another run has not ended), `queue_full`.
 */
export async function requestRun(tx: Tx, { ruleSetId, version, reason, activate }: CreateRun): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const row = await getVersionRow(tx.db, { tenantId, ruleSetId, number: version })
  requireApproved(row)
  contentOf(row)
  if ((await findUnendedRun(tx.db, tenantId)) !== undefined) {
    throw new AppError('conflict', 'A recalculation is already running. Wait until it ends, or cancel it.')
  }
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind: scoreRun, input: { runId: id } })
  const active = await findActiveGeneration(tx.db, tenantId)
  await insertRun(tx.db, {
    tenant_id: tenantId,
    id,
    rule_set_id: ruleSetId,
    number: version,
    content_hash: row.content_hash,
    job_id: jobId,
    reason,
    activate,
    active_when_created: active?.runId ?? null,
    status: 'queued',
    generation: null,
    algorithm_version: null,
    cutoff_sequence: null,
    cutoff_at: null,
    started_at: null,
    ended_at: null,
    counts: null,
    digest: null,
    read_back: null,
    stopped_because: null,
    activated_at: null,
    superseded_at: null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  await tx.record({
    subject: { type: 'scoring_run', id },
    after: {
      ruleSetId,
      version,
      contentHash: row.content_hash,
      jobId,
      activate,
      expectedActiveRunId: active?.runId ?? null,
    },
    reason,
  })
  return { id }
}
