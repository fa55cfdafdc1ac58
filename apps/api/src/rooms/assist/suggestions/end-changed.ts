import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { viewOf } from './request-suggestion.ts'
import { createStateReader } from './suggestion-state.ts'
import { findStored, type StoredSuggestion, updateResult } from './suggestions.queries.ts'

export type AssistContext = { store: Store; adapters: LoadedAdapters }

const READ_AT_ONCE = 100

/** Stores the end of each suggestion that a query returns and that has ended. `select`: returns the suggestions after an id, in the order of ids. */
export async function endAllChanged(
  context: AssistContext,
  tenantId: string,
  isStopped: () => boolean,
  select: (after: string, limit: number) => Promise<StoredSuggestion[]>,
): Promise<void> {
  let after = ''
  while (!isStopped()) {
    const suggestions = await select(after, READ_AT_ONCE)
    await endChanged(context, tenantId, suggestions, isStopped)
    if (suggestions.length < READ_AT_ONCE) return
    after = suggestions.at(-1)?.id ?? ''
  }
}

/** Stores, with its audit event, the end of each of these suggestions that has ended. */
export async function endChanged(
  { store, adapters }: AssistContext,
  tenantId: string,
  suggestions: readonly StoredSuggestion[],
  isStopped: () => boolean,
): Promise<void> {
  const stateOf = createStateReader({ db: store.reader, tenantId, at: store.clock().toISOString(), adapters })
  for (const one of suggestions) {
    if (isStopped()) return
    if ((await stateOf(one)).state !== one.state) await endOne(store, tenantId, one.id, adapters)
  }
}

/** Computes the state again in the change, because the record may have changed back since. */
async function endOne(store: Store, tenantId: string, id: string, adapters: LoadedAdapters): Promise<void> {
  const actor = systemActor('assist', tenantId)
  await change(store, actor, { permission: null, action: 'assist.invalidate' }, async (tx) => {
    const stored = await findStored(tx.db, { tenantId, id })
    if (stored === undefined) return unchanged(undefined)
    const { state, reason } = await createStateReader(viewOf(tx, adapters))(stored)
    if (state === stored.state) return unchanged(undefined)
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
    await tx.record({
      action: state === 'expired' ? 'assist.expire' : 'assist.invalidate',
      subject: { type: 'suggestion', id },
      businessId: stored.businessId,
      before: { state: stored.state },
      after: { state, code: reason?.code ?? null, subject: reason?.subject ?? null },
    })
    return undefined
  })
}
