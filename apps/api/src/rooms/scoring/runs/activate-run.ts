import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { deletePosition } from '../../../store/change/follow-audit.queries.ts'
import { contentOf, getVersionRow, requireApproved } from '../rule-sets/rule-sets.queries.ts'
import { findActiveGeneration, followerName, getRunRow, updateRun } from './runs.queries.ts'
import type { ActivateRun } from './runs.schema.ts'

/**
 * Makes the scores of a run visible to all users by writing one row in one commit. Activating the previous run again is the rollback. Errors:
 * `not_found`, `active_run_changed`, `not_approved`, `content_changed`, `conflict` (the run has not succeeded, its scores were deleted, or the run is
 * partial and the request did not accept that).
 */
export async function activateRun(
  tx: Tx,
  id: string,
  input: ActivateRun,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = tx.actor
  const key = { tenantId, id }
  const run = await getRunRow(tx.db, key)
  const active = await findActiveGeneration(tx.db, tenantId)
  if ((active?.runId ?? null) !== input.expectedActiveRunId) {
    throw new AppError(
      'active_run_changed',
      'Other scores were activated after you opened this page. Check the active scores and decide again.',
    )
  }
  if (active?.runId === id) return unchanged({ id })
  const generation = requireActivatable(run, input.acceptPartial)
  const version = await getVersionRow(tx.db, { tenantId, ruleSetId: run.rule_set_id, number: run.number })
  requireApproved(version)
  contentOf(version)
  const previous = active?.runId ?? null
  await tx.db
    .insertInto('scoring_active')
    .values({ tenant_id: tenantId, run_id: id, generation, previous_run_id: previous })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({ run_id: id, generation, previous_run_id: previous }),
    )
    .execute()
  // The follower begins again at the position of this generation.
  await deletePosition(tx.db, { tenantId, follower: followerName })
  if (previous !== null) await updateRun(tx.db, { tenantId, id: previous }, { superseded_at: tx.at })
  await updateRun(tx.db, key, { activated_at: tx.at, superseded_at: null })
  await tx.db
    .insertInto('scoring_activations')
    .values({
      tenant_id: tenantId,
      id: newId(),
      run_id: id,
      replaced_run_id: previous,
      at: tx.at,
      actor: actorKey(tx.actor),
      reason: input.reason,
    })
    .execute()
  await tx.record({
    subject: { type: 'scoring_run', id },
    before: { activeRunId: previous },
    after: { activeRunId: id, ruleSetId: run.rule_set_id, version: run.number, isPartial: run.status === 'partial' },
    reason: input.reason,
  })
  return { id }
}

function requireActivatable(run: Awaited<ReturnType<typeof getRunRow>>, acceptPartial: boolean): number {
  if (run.status === 'partial' && !acceptPartial) {
    throw new AppError(
      'conflict',
      'This run could not score some records. Check its failures, then activate it with `acceptPartial`.',
    )
  }
  if (run.status !== 'complete' && run.status !== 'partial') {
    throw new AppError('conflict', 'Only a run that has ended with scores can be activated.')
  }
  if (run.generation === null || run.generation_state !== 'ready') {
    throw new AppError('conflict', 'These scores are no longer stored. Recalculate with the same version again.')
  }
  return run.generation
}
