import type { AuditAction } from '../../../lib/declared.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { emptyCandidates, eraseDecisions, selectCandidateIds, selectFilled } from '../candidates/candidates.queries.ts'
import { findSuppressed } from '../candidates/find-suppressed.ts'
import { emptyExtractions } from '../extractions/extractions.queries.ts'

/** Candidates of one change. */
const AT_ONCE = 100
/** Candidates that the gate is asked about at a time. */
const ASKED_AT_ONCE = 1_000

export type Ended = { id: string; businessId: string; state: string }

/** Empties everything of these businesses for an erasure. Rows of extractions and decisions stay without contents. */
export async function eraseContacts(
  tx: Tx,
  businessIds: readonly string[],
): Promise<{ extractions: number; contactCandidates: number }> {
  const { tenantId } = tx.actor
  const ids = await selectCandidateIds(tx.db, tenantId, businessIds)
  await emptyCandidates(tx.db, { tenantId, ids, at: tx.at, state: 'expired' })
  await eraseDecisions(tx.db, { tenantId, ids, businessIds })
  const extractions = await emptyExtractions(tx.db, { tenantId, businessIds, at: tx.at })
  return { extractions, contactCandidates: ids.length }
}

/** Empties candidates that a later suppression entry matches. Decided candidates lose their value as well. */
export async function emptySuppressed(store: Store, tenantId: string, isStopped: () => boolean = () => false) {
  for (let after = ''; !isStopped(); ) {
    const rows = await selectFilled(store.backgroundOf(tenantId), tenantId, { after, limit: ASKED_AT_ONCE })
    const held = rows.map((row) => ({ ...row, candidateId: row.candidate_id }))
    const suppressed = await findSuppressed({ db: store.backgroundOf(tenantId), keys: store.keys }, tenantId, held)
    const ended = rows.filter((row) => suppressed.has(row.candidate_id))
    for (let from = 0; from < ended.length; from += AT_ONCE) {
      const part = ended.slice(from, from + AT_ONCE)
      const found = part.map(({ candidate_id: id, business_id: businessId, state }) => ({ id, businessId, state }))
      const reason = 'A suppression entry matches.'
      await emptyIn(
        store,
        tenantId,
        { action: 'contact_candidate.suppress', state: 'suppressed', reason },
        async () => found,
      )
    }
    after = rows.at(-1)?.candidate_id ?? after
    if (rows.length < ASKED_AT_ONCE) return
  }
}

type Emptying = { action: AuditAction; state: 'suppressed' | 'expired'; reason: string }

async function emptyIn(
  store: Store,
  tenantId: string,
  emptying: Emptying,
  find: (db: Tx['db']) => Promise<Ended[]>,
): Promise<void> {
  const actor = systemActor('contacts', tenantId)
  await change(store, actor, { permission: null, action: emptying.action }, async (tx) => {
    const ended = await find(tx.db)
    if (ended.length === 0) return unchanged(null)
    await emptyAll(tx, ended, emptying)
    return null
  })
}

/** Empties these candidates and records one event for each. */
export async function emptyAll(tx: Tx, ended: readonly Ended[], { action, state, reason }: Emptying): Promise<void> {
  const { tenantId } = tx.actor
  const ids = ended.map(({ id }) => id)
  await overwriteFreedPages(tx, () => emptyCandidates(tx.db, { tenantId, ids, at: tx.at, state }))
  for (const one of ended)
    await tx.record({
      action,
      subject: { type: 'contact_candidate', id: one.id },
      businessId: one.businessId,
      before: { state: one.state },
      after: { state },
      reason,
    })
}
