import { AppError } from '../../../lib/app-error.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import { decided, requireOther } from '../../approvals/approvals.ts'
import { getStored } from './read-suggestions.ts'
import { viewOf } from './request-suggestion.ts'
import { createStateReader } from './suggestion-state.ts'
import { type StoredSuggestion, updateResult } from './suggestions.queries.ts'
import type { Decide } from './suggestions.schema.ts'

/** Returned ids: the response of a change is stored for replays, and would contain the texts of the suggestion. */
type Decided = { id: string; auditEventId: string }

/**
 * Decides a proposal of somebody else, on exactly what the person saw. Changes only the suggestion: no other record of the workspace.
 * Errors: `not_found`, `own_approval`, `partial_not_approvable`, `assist_suggestion_not_open`, `assist_suggestion_changed`.
 */
export async function decideSuggestion(
  tx: Tx,
  adapters: LoadedAdapters,
  id: string,
  { decision, reason, fingerprint }: Decide,
): Promise<Decided> {
  const { tenantId } = tx.actor
  const stored = await getStored(tx.db, tenantId, id)
  requireOther(tx.actor, { 'requested this suggestion': stored.requestedBy })
  if (decision === 'approve' && stored.result?.kind === 'partial')
    throw new AppError(
      'partial_not_approvable',
      'Some claims were removed, so nobody can approve this suggestion. Request a new suggestion.',
    )
  await requireOpen(tx, adapters, stored)
  if (stored.fingerprint !== fingerprint)
    throw changedError('fingerprint', 'The suggestion changed after you opened it. Read it again, then decide.')
  const { businessId } = stored
  const auditEventId = await tx.record({
    action: decision === 'approve' ? 'assist.approve' : 'assist.reject',
    subject: { type: 'suggestion', id },
    businessId,
    before: { state: 'proposed' },
    after: { state: decision === 'approve' ? 'approved' : 'rejected', fingerprint, evidenceHash: stored.evidenceHash },
    reason,
  })
  await updateResult(
    tx.db,
    { tenantId, id },
    {
      state: decision === 'approve' ? 'approved' : 'rejected',
      ...decided(tx, reason),
      decision_event_id: auditEventId,
      state_since: tx.at,
    },
  )
  return { id, auditEventId }
}

async function requireOpen(tx: Tx, adapters: LoadedAdapters, stored: StoredSuggestion): Promise<void> {
  const { state, reason } = await createStateReader(viewOf(tx, adapters))(stored)
  if (state === 'proposed') return
  if (state === 'invalidated' && stored.state === 'proposed')
    throw changedError(
      reason?.code ?? 'changed',
      `The proposal ended: ${(reason?.code ?? 'it changed').replaceAll('_', ' ')}.`,
    )
  throw new AppError(
    'assist_suggestion_not_open',
    `This suggestion is ${state.replace('_', ' ')}; only a proposal can be decided.`,
  )
}

function changedError(code: string, message: string): AppError {
  return new AppError('assist_suggestion_changed', message, { errors: [{ path: 'fingerprint', code, message }] })
}
