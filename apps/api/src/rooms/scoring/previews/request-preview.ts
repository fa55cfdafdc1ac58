import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { createJob } from '../../jobs/jobs.ts'
import { requireEvaluable } from '../rule-sets/require-evaluable.ts'
import { contentOf, getVersionRow, type VersionKey } from '../rule-sets/rule-sets.queries.ts'
import { findActiveGeneration } from '../runs/runs.queries.ts'
import { scorePreview } from '../scoring.jobs.ts'
import { insertPreview } from './previews.queries.ts'
import { type CreatePreview, endOfPreview } from './previews.schema.ts'

/**
 * Requests a full preview of a version's current content, compared with the active version or a named one. Errors: `not_found`,
 * `invalid_request` (problems in the content), `content_changed`, `queue_full`.
 */
export async function requestPreview(tx: Tx, key: VersionKey, { against }: CreatePreview): Promise<{ id: string }> {
  const { tenantId, ruleSetId, number } = key
  const row = await getVersionRow(tx.db, key)
  requireEvaluable(contentOf(row))
  const compared = await comparedVersion(tx, against)
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind: scorePreview, input: { previewId: id } })
  await insertPreview(tx.db, {
    tenant_id: tenantId,
    id,
    rule_set_id: ruleSetId,
    number,
    content_hash: row.content_hash,
    against: compared === null ? null : JSON.stringify(compared),
    job_id: jobId,
    algorithm_version: null,
    result: null,
    completed_at: null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    expires_at: endOfPreview(tx.at),
  })
  await tx.record({
    subject: { type: 'scoring_rule_set', id: ruleSetId },
    after: { version: number, previewId: id, contentHash: row.content_hash, against: compared, jobId },
  })
  return { id }
}

async function comparedVersion(
  tx: Tx,
  against: CreatePreview['against'],
): Promise<{ ruleSetId: string; version: number } | null> {
  const { tenantId } = tx.actor
  if (against === 'active') {
    const active = await findActiveGeneration(tx.db, tenantId)
    return active === undefined ? null : { ruleSetId: active.rule_set_id, version: active.rule_version }
  }
  const { ruleSetId, version } = against
  const row = await getVersionRow(tx.db, { tenantId, ruleSetId, number: version })
  if (row.state === 'draft')
    throw new AppError('conflict', `Version ${version} is a draft. Compare with a version that was submitted.`)
  return { ruleSetId, version }
}
