import { actorKey, requirePermission, type UserActor } from '../../../lib/actor.ts'
import { AppError, invalidField, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import { createJob } from '../../jobs/jobs.ts'
import { bulkReview } from './bulk.jobs.ts'
import { getPreviewRow, insertBulk } from './bulk.queries.ts'
import { bulkQuota } from './bulk.quota.ts'
import type { ConfirmBulk } from './bulk.schema.ts'
import { needsWrite } from './bulk-outcome.rules.ts'

/**
 * Creates a bulk action from a preview, queues its job and returns its id. A preview can be used once, only by its creator, and only before it
 * expires. Errors: `not_found`, `permission_denied`, `preview_used`, `preview_expired`, `changed_since_preview` (another
 * fingerprint), `invalid_request` (no reason), `queue_full`.
 */
export async function confirmBulk(
  tx: Tx,
  actor: UserActor,
  { previewId, fingerprint, reason }: ConfirmBulk,
): Promise<{ id: string }> {
  const { tenantId } = actor
  const preview = await getPreviewRow(tx.db, tenantId, previewId)
  if (preview.created_by !== actor.userId) throw notFound()
  if (needsWrite(preview.action)) requirePermission(actor, 'businesses.write')
  if (preview.bulk_id !== null)
    throw new AppError('preview_used', 'This preview was already used. Create a new preview.')
  if (preview.expires_at <= tx.at)
    throw new AppError('preview_expired', 'This preview has expired. Create a new preview.')
  if (preview.fingerprint !== fingerprint)
    throw new AppError('changed_since_preview', 'The preview changed. Check the preview again.')
  if (reason === undefined && (preview.action === 'verify' || preview.action === 'reject'))
    throw invalidField('reason', 'required', 'Enter a reason. The reason is stored with each review.')
  await requireRoom(tx, bulkQuota)
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind: bulkReview, input: { bulkId: id } })
  await insertBulk(tx.db, {
    tenant_id: tenantId,
    id,
    preview_id: previewId,
    job_id: jobId,
    correlation_id: actor.correlationId,
    reason: reason ?? '',
    created_at: tx.at,
    created_by: actorKey(actor),
    ended_at: null,
    digest: null,
    read_back: null,
  })
  const { action, size, undoes } = preview
  await tx.record({
    subject: { type: 'bulk_review', id },
    after: { action, size, undoes, previewId, fingerprint, jobId, reasonCharacters: reason?.length ?? 0 },
  })
  return { id }
}
