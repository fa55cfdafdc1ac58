import { actorKey, actorRef } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { readCanonical, readFindings, type Suggestion } from '../matching.schema.ts'
import { pairFingerprint } from '../merging/pair-fingerprint.ts'
import { conflictsOf } from '../rules/conflicts.rules.ts'
import { bandOf } from '../rules/exact-arithmetic.rules.ts'
import { reasonsOf } from '../rules/reasons.rules.ts'
import { updateSuggestion } from './suggestions.queries.ts'

/** Returns one suggestion with both records, all evidence for and against, and all conflicts. Errors: `not_found`. */
export async function getSuggestion(db: Db, tenantId: string, id: string): Promise<Suggestion> {
  const row = await findRow(db, tenantId, id)
  if (row === undefined) throw notFound()
  const a = await getBusiness(db, tenantId, row.business_a)
  const b = await getBusiness(db, tenantId, row.business_b)
  return {
    id: row.id,
    score: row.score,
    band: bandOf(row.score) ?? 'review',
    status: row.status,
    reasons: reasonsOf(readFindings(row.evidence), [a, b]),
    normalizationVersion: row.normalization_version,
    algorithmVersion: row.algorithm_version,
    snapshotId: row.snapshot_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    businesses: [a, b],
    canonical: readCanonical(row.canonical),
    conflicts: conflictsOf(a, b),
    fingerprint: await pairFingerprint(db, tenantId, [a, b], row),
    snapshot: { id: row.snapshot_id, at: row.snapshot_at, records: row.snapshot_records },
    decision:
      row.decided_at === null || row.decided_by === null
        ? null
        : { at: row.decided_at, by: actorRef(row.decided_by, row.decider_name), reason: row.decision_reason },
    renews:
      row.renews === null || row.rejected_at === null || row.rejected_reason === null
        ? null
        : { id: row.renews, rejectedAt: row.rejected_at, reason: row.rejected_reason },
  }
}

function findRow(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('match_suggestions as s')
    .innerJoin('match_snapshots as n', (join) =>
      join.onRef('n.tenant_id', '=', 's.tenant_id').onRef('n.id', '=', 's.snapshot_id'),
    )
    .leftJoin('match_suggestions as earlier', (join) =>
      join.onRef('earlier.tenant_id', '=', 's.tenant_id').onRef('earlier.id', '=', 's.renews'),
    )
    .leftJoin('users as u', 'u.id', 's.decided_by')
    .selectAll('s')
    .select([
      'n.created_at as snapshot_at',
      'n.records as snapshot_records',
      'u.name as decider_name',
      'earlier.decided_at as rejected_at',
      'earlier.decision_reason as rejected_reason',
    ])
    .where('s.tenant_id', '=', tenantId)
    .where('s.id', '=', id)
    .executeTakeFirst()
}

/**
 * Rejects a suggestion, because the two records are different businesses. The pair is not suggested again until one of its records changes. A
 * suggestion that is already rejected is not changed and keeps its first reason. Errors: `not_found`, `suggestion_not_open`.
 */
export async function rejectSuggestion(
  tx: Tx,
  id: string,
  reason: string,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = tx.actor
  const row = await findRow(tx.db, tenantId, id)
  if (row === undefined) throw notFound()
  if (row.status === 'rejected') return unchanged({ id })
  if (row.status !== 'open') {
    throw new AppError(
      'suggestion_not_open',
      row.status === 'superseded'
        ? 'The evidence for this suggestion changed, so the suggestion is no longer open. Reload the list.'
        : 'These two records were already merged.',
    )
  }
  await updateSuggestion(tx.db, tenantId, id, {
    status: 'rejected',
    updated_at: tx.at,
    decided_at: tx.at,
    decided_by: actorKey(tx.actor),
    decision_reason: reason,
  })
  await tx.record({
    subject: { type: 'match_suggestion', id },
    before: { status: 'open' },
    after: { status: 'rejected', businesses: [row.business_a, row.business_b], score: row.score },
    reason,
  })
  return { id }
}
