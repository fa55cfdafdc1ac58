import { type Actor, actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import { type ChangeOptions, type ChangeResult, change, changeInSteps, type Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import {
  type Business,
  carryToSurvivor,
  getBusiness,
  getStoredRecord,
  linkTo,
  refreshSearchText,
  rewriteRecord,
} from '../../businesses/businesses.ts'
import { refreshEvidenceCount } from '../../evidence/evidence.ts'
import { refreshLastContact } from '../../interactions/interactions.ts'
import { recordTransition } from '../../pipeline/pipeline.ts'
import { reassignRejections } from '../suggestions/save-suggestions.ts'
import { selectOpenOf, updateSuggestion } from '../suggestions/suggestions.queries.ts'
import { attemptRow, isRefusal, recordStop, stoppedBy } from './merge-attempts.ts'
import { checkMerge, pairChanged } from './merge-checks.ts'
import { choicesOf } from './merge-choices.ts'
import { factsOf, planMerge, renewed } from './merge-plan.rules.ts'
import { auditedFacts, readBackMerge } from './merge-read-back.ts'
import { snapshotHash, takeSnapshot } from './merge-snapshot.ts'
import {
  endAttempt,
  insertAttempt,
  insertMerge,
  insertMergeSnapshot,
  readMergeSnapshot,
  requireBegun,
} from './merges.queries.ts'
import type { MergeBody } from './merges.schema.ts'
import type { MergeAttemptTable } from './merges.table.ts'

const permission = 'matching.merge'

type StartedMerge = { attempt: MergeAttemptTable; snapshotId: string; hash: string }

/**
 * Merges two businesses as a person decided (specification, Phase 6 §5 to §7). Step 1 commits a complete snapshot of both, reads it back and compares
 * it. Step 2 links the loser to the survivor in one change, moves no children, and counts everything again before the commit. On any failure the
 * records stay unchanged, the attempt is recorded, and nothing is retried automatically. Returns the id of the merge. Errors: those of `checkMerge`,
 * `too_large`, `unavailable`, `merge_stopped`.
 */
export async function mergeBusinesses(
  store: Store,
  actor: Actor,
  suggestionId: string,
  body: MergeBody,
  idempotency: ChangeOptions['idempotency'],
): Promise<ChangeResult<{ id: string }>> {
  const options = { permission, action: 'matching.merge', idempotency } as const
  return changeInSteps<{ id: string }>(store, actor, options, async (last) => {
    const begun = await begin(store, actor, suggestionId, body)
    try {
      return await last((tx) => applyMerge(tx, suggestionId, body, begun))
    } catch (error) {
      await recordStop(store, begun.attempt, error)
      throw stoppedBy(error, 'merge')
    }
  })
}

/** Commits the snapshot before any other write and reads it back from the store. */
async function begin(store: Store, actor: Actor, suggestionId: string, body: MergeBody): Promise<StartedMerge> {
  let attempt: MergeAttemptTable | undefined
  try {
    const options = { permission, action: 'matching.begin_merge' } as const
    const { value } = await change(store, actor, options, async (tx): Promise<StartedMerge> => {
      const { survivor, loser } = await checkMerge(tx.db, actor.tenantId, suggestionId, body)
      const of = {
        kind: 'merge' as const,
        suggestion_id: suggestionId,
        merge_id: null,
        survivor_id: survivor.id,
        loser_id: loser.id,
      }
      attempt = { ...attemptRow(actor, tx.at, of), stage: 'snapshot' }
      const snapshot = await takeSnapshot(tx.db, actor.tenantId, survivor.id, loser.id)
      const snapshotId = newId()
      const hash = snapshotHash(snapshot)
      await insertMergeSnapshot(tx.db, {
        tenant_id: actor.tenantId,
        id: snapshotId,
        suggestion_id: suggestionId,
        survivor_id: survivor.id,
        loser_id: loser.id,
        created_at: tx.at,
        created_by: actorKey(actor),
        content: JSON.stringify(snapshot),
        content_hash: hash,
      })
      const row = { ...attempt, stage: 'change' as const, snapshot_id: snapshotId }
      await insertAttempt(tx.db, row)
      await tx.record({
        subject: { type: 'merge_snapshot', id: snapshotId },
        after: { suggestionId, survivorId: survivor.id, loserId: loser.id, hash },
      })
      return { attempt: row, snapshotId, hash }
    })
    attempt = value.attempt
    const read = await readMergeSnapshot(store.reader, actor.tenantId, value.snapshotId)
    if (read.hash !== value.hash) throw new Error('The snapshot that was read back is not the one that was written.')
    return value
  } catch (error) {
    const isWritten = attempt?.stage === 'change'
    if (isWritten || !isRefusal(error)) await recordStop(store, attempt, error)
    throw stoppedBy(error, 'merge')
  }
}

async function applyMerge(tx: Tx, suggestionId: string, body: MergeBody, begun: StartedMerge): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await requireBegun(tx.db, tenantId, begun.attempt.id)
  const { survivor, loser, score } = await checkMerge(tx.db, tenantId, suggestionId, body)
  const { snapshot } = await readMergeSnapshot(tx.db, tenantId, begun.snapshotId)
  if (snapshotHash(await takeSnapshot(tx.db, tenantId, survivor.id, loser.id)) !== begun.hash) throw pairChanged([])
  const id = newId()
  const before = {
    survivor: await getStoredRecord(tx.db, tenantId, survivor.id),
    loser: await getStoredRecord(tx.db, tenantId, loser.id),
  }
  const plan = planMerge(renewed(before.survivor), renewed(before.loser), body.fields)
  const matches = await rewriteRecord(tx, before.survivor, plan.after.columns, plan.after.identifiers)
  await carryToSurvivor(tx, { loser: before.loser.business, survivor: before.survivor.business, matches })
  await linkTo(tx, before.loser, survivor.id)
  await refreshSearchText(tx, survivor.id)
  await refreshLastContact(tx, survivor.id)
  await refreshEvidenceCount(tx, survivor.id)
  const endedSuggestions = await endSuggestions(tx, suggestionId, loser.id, body.reason)
  await reassignRejections(tx, survivor.id)
  await recordMerge(tx, { id, survivor, loser, suggestionId, score, reason: body.reason, begun })
  const readBack = await readBackMerge(tx.db, tenantId, snapshot, plan)
  // After the comparison with the snapshot, which requires that the merge adds no child.
  await recordMoveOf(tx, survivor, { mergeId: id, reason: 'A merge took over this state from the other record.' })
  const stored = await getStoredRecord(tx.db, tenantId, survivor.id)
  await insertMerge(tx.db, {
    tenant_id: tenantId,
    id,
    suggestion_id: suggestionId,
    snapshot_id: begun.snapshotId,
    survivor_id: survivor.id,
    loser_id: loser.id,
    status: 'merged',
    merged_at: tx.at,
    merged_by: actorKey(tx.actor),
    reason: body.reason,
    choices: JSON.stringify(
      await choicesOf(
        tx.db,
        tenantId,
        { business: survivor, family: snapshot.survivorFamily },
        { business: loser, family: snapshot.loserFamily },
        plan.fields,
      ),
    ),
    after: JSON.stringify({ columns: factsOf(stored), identifiers: stored.identifiers }),
    ended_suggestions: JSON.stringify(endedSuggestions),
    read_back: JSON.stringify(readBack),
    reversed_at: null,
    reversed_by: null,
    reversal_reason: null,
    reversal: null,
  })
  await endAttempt(tx.db, tenantId, begun.attempt.id, { status: 'done', stage: 'done', merge_id: id, ended_at: tx.at })
  return { id }
}

/** Records the transition of a survivor whose state a merge or a reversal changed. `before`: the survivor as it was. */
export async function recordMoveOf(
  tx: Tx,
  before: Pick<Business, 'id' | 'pipelineState'>,
  by: { mergeId: string; reason: string },
): Promise<void> {
  const { pipelineState: to } = await getBusiness(tx.db, tx.actor.tenantId, before.id)
  if (to === before.pipelineState) return
  await recordTransition(tx, { businessId: before.id, from: before.pipelineState, to, ...by })
}

/**
 * Ends the suggestion that was decided and all other open suggestions of the loser. The next check of the survivor, which now has the loser's values
 * too, suggests those other pairs again if they still match.
 */
async function endSuggestions(tx: Tx, suggestionId: string, loserId: string, reason: string): Promise<string[]> {
  const { tenantId } = tx.actor
  await updateSuggestion(tx.db, tenantId, suggestionId, {
    status: 'merged',
    updated_at: tx.at,
    decided_at: tx.at,
    decided_by: actorKey(tx.actor),
    decision_reason: reason,
  })
  const open = await selectOpenOf(tx.db, { tenantId, businessId: loserId })
  for (const { id } of open) await updateSuggestion(tx.db, tenantId, id, { status: 'superseded', updated_at: tx.at })
  return open.map(({ id }) => id)
}

type MergeRecord = {
  id: string
  survivor: Business
  loser: Business
  suggestionId: string
  score: number
  reason: string
  begun: StartedMerge
}

/**
 * Writes one audit event per record, both with the id of the snapshot. The survivor's event contains its changed fields, the loser's event contains
 * the link to the survivor.
 */
async function recordMerge(tx: Tx, merged: MergeRecord): Promise<void> {
  const { id, survivor, loser, suggestionId, score, reason, begun } = merged
  const merge = { mergeId: id, snapshotId: begun.snapshotId, suggestionId, score }
  const now = await getBusiness(tx.db, tx.actor.tenantId, survivor.id)
  const facts = auditedFacts(survivor, now)
  await tx.record({
    subject: { type: 'business', id: survivor.id },
    businessId: survivor.id,
    before: facts.before,
    after: { ...facts.after, ...merge, merged: loser.id },
    reason,
  })
  await tx.record({
    subject: { type: 'business', id: loser.id },
    businessId: loser.id,
    before: { status: 'active' },
    after: { status: 'merged', mergedInto: survivor.id, ...merge },
    reason,
  })
}
