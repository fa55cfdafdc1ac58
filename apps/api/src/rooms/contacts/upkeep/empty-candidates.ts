import type { AuditAction } from '../../../lib/declared.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { changeTime, ERASED, emptyRows, stateInstead } from '../../../store/change/empty-rows.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { ErasedTables } from '../../room.ts'
import { selectFilled } from '../candidates/candidates.queries.ts'
import { findSuppressed } from '../candidates/find-suppressed.ts'
import { undecidedStates } from '../contacts.table.ts'

/** Candidates of one change. */
const AT_ONCE = 100
/** Candidates that the gate is asked about at a time. */
const ASKED_AT_ONCE = 1_000

export type Ended = { id: string; businessId: string; state: string }

/** Returns the declaration that empties values, contexts and page addresses of candidates. An undecided candidate gets `state`; a decided one keeps its state. */
function emptied(state: Emptying['state']) {
  return {
    contact_candidate_states: {
      by: 'candidate_id',
      of: 'contact_candidates',
      set: {
        value: null,
        normalized: null,
        identity: null,
        domain: null,
        state: stateInstead(undecidedStates, state),
        emptied_at: changeTime,
      },
      where: { emptied_at: 'null' },
      counts: 'contactCandidates',
    },
    contact_sightings: {
      by: 'candidate_id',
      of: 'contact_candidates',
      set: { page_url: null, page_title: null, location: null, context: null },
    },
  } satisfies ErasedTables
}

/** Erases candidates, reasons of decisions, hashes of rejected values, and addresses of pages that were not read. */
export const erasedTables: ErasedTables = {
  ...emptied('expired'),
  contact_decisions: {
    by: 'candidate_id',
    of: 'contact_candidates',
    set: { reason: ERASED },
    where: { reason: 'present' },
  },
  contact_rejections: { by: 'business_id', deletes: true },
  extraction_results: {
    by: 'extraction_id',
    of: 'extractions',
    set: { not_read: '[]', emptied_at: changeTime },
    counts: 'extractions',
  },
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
  const ids = ended.map(({ id }) => id)
  await overwriteFreedPages(tx, () => emptyRows(tx, emptied(state), { of: 'contact_candidates', ids }))
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
