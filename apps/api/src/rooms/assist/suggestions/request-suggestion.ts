import type { UserActor } from '../../../lib/actor.ts'
import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { type ChangeOptions, type ChangeResult, change, type Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Store } from '../../../store/store.ts'
import { createJob, type JobKind } from '../../jobs/jobs.ts'
import { budgetRefusal } from '../budgets/budgets.ts'
import {
  type CheckView,
  checkSelection,
  examineSelection,
  requireSealed,
  type Selection,
} from '../prompts/check-selection.ts'
import type { Examined } from '../prompts/examine.rules.ts'
import { budgetError } from '../prompts/preview.ts'
import { insertSuggestion } from './suggestions.queries.ts'
import { suggestionQuota } from './suggestions.quota.ts'
import type { RequestSuggestion } from './suggestions.schema.ts'

export type SuggestionJob = JobKind<{ suggestionId: string }>

/** The view of a change: what it writes is seen by its later checks. */
export function viewOf(tx: Tx, adapters: LoadedAdapters): CheckView {
  return { db: tx.db, keys: tx.keys, tenantId: tx.actor.tenantId, at: tx.at, adapters }
}

/**
 * Accepts a request for exactly the bytes that the person previewed, and queues its job. Nothing is sent or reserved here. Errors: as
 * `checkSelection`, `prompt_too_large`, `preview_changed`, `budget_exhausted`, `rate_limited`
 * (`suggestionQuota`), `queue_full`.
 */
async function requestSuggestion(
  tx: Tx,
  adapters: LoadedAdapters,
  kind: SuggestionJob,
  { businessId, purpose, evidenceIds, contentHash }: RequestSuggestion,
  examined: Examined,
): Promise<{ id: string }> {
  await requireRoom(tx, suggestionQuota)
  const view = viewOf(tx, adapters)
  const checked = await checkSelection(view, { businessId, purpose, evidenceIds }, { examined })
  const sealed = requireSealed(checked)
  if (sealed.contentHash !== contentHash)
    throw new AppError('preview_changed', 'The text to send is no longer the text of your preview. Preview again.')
  const refused = await budgetRefusal(view, checked.ready, sealed.reservation)
  if (refused !== undefined) throw budgetError(refused)
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind, input: { suggestionId: id } })
  const { tenantId } = tx.actor
  const { policy } = checked.ready
  await insertSuggestion(
    tx.db,
    {
      tenant_id: tenantId,
      id,
      business_id: businessId,
      purpose,
      job_id: jobId,
      policy_id: policy.id,
      evidence: JSON.stringify(checked.refs),
      evidence_hash: checked.evidenceHash,
      content_hash: contentHash,
      requested_at: tx.at,
      requested_by: actorKey(tx.actor),
    },
    {
      tenant_id: tenantId,
      suggestion_id: id,
      state: 'queued',
      result: null,
      claims: '[]',
      fingerprint: null,
      versions: null,
      source_id: null,
      fallback_used: 0,
      usage: null,
      proposed_at: null,
      decided_at: null,
      decided_by: null,
      decision_reason: null,
      decision_event_id: null,
      state_code: null,
      state_since: tx.at,
      state_subject: null,
    },
  )
  await tx.record({
    action: 'assist.request',
    subject: { type: 'suggestion', id },
    businessId,
    after: { purpose, jobId, evidence: checked.refs.length, contentHash, policyVersion: policy.version },
  })
  return { id }
}

/** Refusals that say something about the selection or the workspace; a missing record or permission is refused as everywhere. */
const auditedRefusals: ReadonlySet<string> = new Set([
  'assist_disabled',
  'business_not_active',
  'suppressed',
  'evidence_not_usable',
  'data_class_not_allowed',
  'injection_suspected',
  'prompt_too_large',
  'preview_changed',
  'budget_exhausted',
])

/**
 * Runs a preview or a request. A refusal is audited in a change of its own, because an error rolls back the change that it is in, and
 * thrown again.
 */
export async function auditingRefusals<T>(
  store: Store,
  actor: UserActor,
  { businessId, purpose, evidenceIds }: Selection,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && auditedRefusals.has(error.code)) {
      const { code } = error
      await change(store, actor, { permission: 'assist.request', action: 'assist.refuse' }, (tx) =>
        tx.record({
          subject: { type: 'business', id: businessId },
          businessId,
          after: { code, purpose, evidence: evidenceIds.length },
        }),
      )
    }
    throw error
  }
}

/** The request as a route runs it. */
export function requestAudited(
  store: Store,
  actor: UserActor,
  options: ChangeOptions,
  { adapters, kind, body }: { adapters: LoadedAdapters; kind: SuggestionJob; body: RequestSuggestion },
): Promise<ChangeResult<{ id: string }>> {
  return auditingRefusals(store, actor, body, async () => {
    const examined = await examineSelection({ db: store.reader, tenantId: actor.tenantId }, 'requests', body)
    return change(store, actor, options, (tx) => requestSuggestion(tx, adapters, kind, body, examined))
  })
}
