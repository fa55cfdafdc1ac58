import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { insertEvent } from '../events.ts'
import { viewOf } from '../suggestions/request-suggestion.ts'
import { createStateReader } from '../suggestions/suggestion-state.ts'
import { findStored, type StoredSuggestion, selectOpen, updateResult } from '../suggestions/suggestions.queries.ts'

/*
 * Stores what every read computes: proposals and approvals that ended, each with its audit event. Nothing depends on how soon this runs.
 */

const READ_AT_ONCE = 100

/** Stores the ends of proposals and approvals since the last round. Returns the number of suggestions. */
export async function followChanges(
  store: Store,
  tenantId: string,
  adapters: LoadedAdapters,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const { reader: db } = store
  let ended = 0
  let after = ''
  while (!isStopped()) {
    const open = await selectOpen(db, tenantId, after, READ_AT_ONCE)
    const stateOf = createStateReader({ db, tenantId, at: store.clock().toISOString(), adapters })
    const changed: StoredSuggestion[] = []
    for (const one of open) if ((await stateOf(one)).state !== one.state) changed.push(one)
    for (const { id } of changed) if (await endOne(store, tenantId, id, adapters)) ended += 1
    after = open.at(-1)?.id ?? ''
    if (open.length < READ_AT_ONCE) break
  }
  return ended
}

/** Computes the state again in the change, because the record may have changed back since. */
async function endOne(store: Store, tenantId: string, id: string, adapters: LoadedAdapters): Promise<boolean> {
  const actor = systemActor('assist', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'assist.invalidate' }, async (tx) => {
    const stored = await findStored(tx.db, { tenantId, id })
    if (stored === undefined) return unchanged(false)
    const { state, reason } = await createStateReader(viewOf(tx, adapters))(stored)
    if (state === stored.state) return unchanged(false)
    await updateResult(
      tx.db,
      { tenantId, id },
      {
        state,
        state_code: reason?.code ?? null,
        state_since: reason?.since ?? tx.at,
        state_subject: reason?.subject ?? null,
      },
    )
    await insertEvent(tx, { subject: 'suggestion', subjectId: id, kind: state, code: reason?.code ?? null })
    await tx.record({
      action: state === 'expired' ? 'assist.expire' : 'assist.invalidate',
      subject: { type: 'suggestion', id },
      businessId: stored.businessId,
      before: { state: stored.state },
      after: { state, code: reason?.code ?? null, subject: reason?.subject ?? null },
    })
    return true
  })
  return value
}
