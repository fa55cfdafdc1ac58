import { isDeepStrictEqual } from 'node:util'
import { type Actor, actorKey } from '../../../lib/actor.ts'
import { type ChangeOptions, type ChangeResult, change, changeInSteps, type Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import {
  carryBlock,
  familyOf,
  getBusiness,
  getStoredRecord,
  liftCarriedBlock,
  linkTo,
  markMatched,
  refreshSearchText,
  rewriteRecord,
  type StoredRecord,
} from '../../businesses/businesses.ts'
import { refreshEvidenceCount } from '../../evidence/evidence.ts'
import { refreshLastContact } from '../../interactions/interactions.ts'
import { reassignRejections } from '../suggestions/save-suggestions.ts'
import { updateSuggestion } from '../suggestions/suggestions.queries.ts'
import { attemptRow, recordStop, stoppedBy } from './merge-attempts.ts'
import { recordMoveOf } from './merge-businesses.ts'
import { factsOf, renewed } from './merge-plan.rules.ts'
import { auditedFacts, must, mustBeAsBefore, mustKeepChildren } from './merge-read-back.ts'
import { type RecordGraph, recordGraph } from './merge-snapshot.ts'
import { endAttempt, endMerge, getMergeRow, insertAttempt, type MergeRow, requireBegun } from './merges.queries.ts'
import type { MergeAttemptTable } from './merges.table.ts'
import {
  outcomeOf,
  type ReversalState,
  readReversalState,
  requireReversible,
  wasBlockedSince,
  wasCarried,
} from './reversal-state.ts'
import type { ReversePlan } from './reverse-plan.rules.ts'

const permission = 'matching.reverse'

/**
 * Reverses a merge from its snapshot alone (specification, Phase 6 §8): restores both records in one change, with new versions. Later additions and
 * edits stay with the survivor. The only block that ends is one that the merge had copied to the survivor. Returns the id of the merge.
 * Errors: `not_found`, `merge_not_reversible`, `too_large`, `unavailable`, `merge_stopped`.
 */
export async function reverseMerge(
  store: Store,
  actor: Actor,
  id: string,
  reason: string,
  idempotency: ChangeOptions['idempotency'],
): Promise<ChangeResult<{ id: string }>> {
  const options = { permission, action: 'matching.reverse', idempotency } as const
  return changeInSteps<{ id: string }>(store, actor, options, async (last) => {
    const attempt = await begin(store, actor, id, reason)
    try {
      return await last((tx) => applyReversal(tx, id, reason, attempt.id))
    } catch (error) {
      await recordStop(store, attempt, error)
      throw stoppedBy(error, 'reversal')
    }
  })
}

/** Checks that the merge can be reversed and commits the attempt before any other write. */
async function begin(store: Store, actor: Actor, id: string, reason: string): Promise<MergeAttemptTable> {
  const row = await getMergeRow(store.reader, actor.tenantId, id)
  await requireReversible(store.reader, row)
  const attempt = {
    ...attemptRow(actor, store.clock().toISOString(), {
      kind: 'reversal',
      suggestion_id: row.suggestion_id,
      merge_id: id,
      survivor_id: row.survivor_id,
      loser_id: row.loser_id,
    }),
    snapshot_id: row.snapshot_id,
  }
  await change(store, actor, { permission, action: 'matching.begin_reversal' }, async (tx) => {
    await insertAttempt(tx.db, attempt)
    await tx.record({ subject: { type: 'merge', id }, after: { snapshotId: row.snapshot_id }, reason })
  })
  return attempt
}

async function applyReversal(tx: Tx, id: string, reason: string, attemptId: string): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await requireBegun(tx.db, tenantId, attemptId)
  const row = await getMergeRow(tx.db, tenantId, id)
  await requireReversible(tx.db, row)
  const state = await readReversalState(tx.db, row)
  const { loser, before, plan } = state
  mustBeAsBefore(before.loser, loser)
  const saidBefore = await getBusiness(tx.db, tenantId, row.survivor_id)
  if (wasBlockedSince(state)) await carryBlock(tx, state.survivor.business, loser.business)
  await linkTo(tx, await getStoredRecord(tx.db, tenantId, row.loser_id), null)
  const survivor = await getStoredRecord(tx.db, tenantId, row.survivor_id)
  await markMatched(tx, row.survivor_id, await rewriteRecord(tx, survivor, plan.to.columns, plan.to.identifiers))
  if (wasCarried(state)) {
    const { business } = await getStoredRecord(tx.db, tenantId, row.survivor_id)
    await liftCarriedBlock(tx, { survivor: business, loserId: row.loser_id })
  }
  await refreshSearchText(tx, row.survivor_id)
  await refreshLastContact(tx, row.survivor_id)
  await refreshEvidenceCount(tx, row.survivor_id)
  await reopenSuggestions(tx, row)
  await reassignRejections(tx, row.survivor_id)
  await recordReversal(tx, row, saidBefore, reason)
  const blocked = await readBackReversal(tx.db, tenantId, state)
  await recordMoveOf(tx, saidBefore, { mergeId: id, reason: 'The reversal of a merge restored this state.' })
  const outcome = outcomeOf(state, blocked)
  await endMerge(tx.db, tenantId, id, {
    reversed_at: tx.at,
    reversed_by: actorKey(tx.actor),
    reversal_reason: reason,
    reversal: JSON.stringify(outcome),
  })
  await endAttempt(tx.db, tenantId, attemptId, { status: 'done', stage: 'done', ended_at: tx.at })
  return { id }
}

/** Reopens the suggestion of this pair and the suggestions that ended with the loser. The next check of each record updates them. */
async function reopenSuggestions(tx: Tx, row: MergeRow): Promise<void> {
  const ids = [row.suggestion_id, ...readTexts(row.ended_suggestions)]
  for (const id of ids) {
    const pair = await tx.db
      .selectFrom('match_suggestions as s')
      .innerJoin('businesses as a', (join) =>
        join.onRef('a.tenant_id', '=', 's.tenant_id').onRef('a.id', '=', 's.business_a'),
      )
      .innerJoin('businesses as b', (join) =>
        join.onRef('b.tenant_id', '=', 's.tenant_id').onRef('b.id', '=', 's.business_b'),
      )
      .leftJoin('match_suggestions as other', (join) =>
        join
          .onRef('other.tenant_id', '=', 's.tenant_id')
          .onRef('other.business_a', '=', 's.business_a')
          .onRef('other.business_b', '=', 's.business_b')
          .on('other.status', '=', 'open'),
      )
      .select(['s.id', 'other.id as known'])
      .where('s.tenant_id', '=', row.tenant_id)
      .where('s.id', '=', id)
      .where('a.status', '=', 'active')
      .where('b.status', '=', 'active')
      .executeTakeFirst()
    if (pair === undefined || pair.known !== null) continue
    await updateSuggestion(tx.db, row.tenant_id, id, {
      status: 'open',
      updated_at: tx.at,
      decided_at: null,
      decided_by: null,
      decision_reason: null,
    })
  }
}

async function recordReversal(
  tx: Tx,
  row: MergeRow,
  before: Awaited<ReturnType<typeof getBusiness>>,
  reason: string,
): Promise<void> {
  const { tenantId } = tx.actor
  const merge = { mergeId: row.id, snapshotId: row.snapshot_id }
  const facts = auditedFacts(before, await getBusiness(tx.db, tenantId, row.survivor_id))
  await tx.record({
    subject: { type: 'business', id: row.survivor_id },
    businessId: row.survivor_id,
    before: facts.before,
    after: { ...facts.after, ...merge, separated: row.loser_id },
    reason,
  })
  await tx.record({
    subject: { type: 'business', id: row.loser_id },
    businessId: row.loser_id,
    before: { status: 'merged', mergedInto: row.survivor_id },
    after: { status: 'active', ...merge },
    reason,
  })
}

/** Reads both records again and compares them with the snapshot. Returns the ids of those that are do not contact now. */
async function readBackReversal(db: Db, tenantId: string, state: ReversalState): Promise<string[]> {
  const { snapshot, before, survivor, loser, plan } = state
  const { survivorId, loserId } = snapshot
  const now = new Map<string, RecordGraph>()
  for (const record of snapshot.records) {
    const { id } = record.business
    const read = await recordGraph(db, tenantId, id)
    now.set(id, read)
    mustKeepChildren(record, read, { exactly: false })
  }
  const restored = { survivor: now.get(survivorId), loser: now.get(loserId) }
  if (restored.survivor === undefined || restored.loser === undefined)
    throw new Error('Read back: a record is missing.')
  mustBeAsBefore(before.loser, renewed(restored.loser))
  must(restored.loser.business.status === 'active', 'the loser is not active')
  mustSay(restored.survivor, plan)
  for (const [was, is] of [
    [survivor, restored.survivor],
    [loser, restored.loser],
  ] as const) {
    const mayEnd = is.business.id === survivorId && wasCarried(state)
    must(mayEnd || is.business.do_not_contact >= was.business.do_not_contact, 'a block was lifted')
    must(is.audit.count > was.counts.audit, 'the audit was not appended to')
  }
  must(!(await familyOf(db, tenantId, survivorId)).includes(loserId), 'the two are still linked')
  return [restored.survivor, restored.loser]
    .filter(({ business }) => business.do_not_contact === 1)
    .map(({ business }) => business.id)
}

function mustSay(survivor: StoredRecord, plan: ReversePlan): void {
  must(isDeepStrictEqual(factsOf(survivor), plan.to.columns), 'the survivor does not say what it should')
  must(isDeepStrictEqual(survivor.identifiers, plan.to.identifiers), 'identifiers of the survivor are wrong')
}
