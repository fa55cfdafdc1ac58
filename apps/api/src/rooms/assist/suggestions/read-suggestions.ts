import type { Cursors, Page } from '../../../http/pagination.ts'
import { toPage, totalOf } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness, getFamily, hidesWrittenFor } from '../../businesses/businesses.ts'
import { HIDDEN } from '../../contact-gate/contact-gate.ts'
import type { RegistryView } from '../../sources/sources.ts'
import type { AssistPurpose, SuggestionState } from '../assist.table.ts'
import { createStateReader, readStates, type StateNow } from './suggestion-state.ts'
import {
  findStored,
  matchingSuggestions,
  type StoredSuggestion,
  selectExchanges,
  selectStored,
} from './suggestions.queries.ts'
import { type Exchange, SUGGESTION_LABEL, type Suggestion } from './suggestions.schema.ts'

/* Suggestions with their state, which is computed at every read. */

type Filter = {
  limit: number
  cursor?: string | undefined
  businessId?: string | undefined
  purpose?: AssistPurpose | undefined
  state?: SuggestionState | undefined
}

/** Newest first; those of a business include those of records merged into it. Errors: `not_found` (the business), `invalid_request`. */
export async function listSuggestions(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  adapters: LoadedAdapters,
  { limit, cursor, businessId, purpose, state }: Filter,
): Promise<Page<Suggestion>> {
  const { reader: db } = store
  const { tenantId } = reader
  const view = viewNow(store, reader, adapters)
  const binding = ['suggestions', tenantId, businessId ?? null, purpose ?? null, state ?? null]
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor).map(String)
  const businessIds = businessId === undefined ? undefined : await getFamily(db, tenantId, businessId)
  const rows = await selectStored(db, tenantId, { businessIds, purpose, state, before, limit: limit + 1 })
  return toPage({
    rows: await readStates(view, rows),
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, (background) =>
      matchingSuggestions(background, tenantId, { businessIds, purpose, state }),
    ),
    toItem: ({ stored, now }) => toSuggestion(stored, now),
    cursorAfter: ({ stored }) => cursors.encode(binding, [stored.id]),
  })
}

/** Errors: `not_found`. */
export async function getSuggestion(
  store: Store,
  reader: UserActor,
  adapters: LoadedAdapters,
  id: string,
): Promise<Suggestion> {
  const stored = await getStored(store.reader, reader.tenantId, id)
  const view = viewNow(store, reader, adapters)
  return toSuggestion(stored, await createStateReader(view)(stored))
}

/** Errors: `not_found`. */
export async function getStored(db: RegistryView['db'], tenantId: string, id: string): Promise<StoredSuggestion> {
  const stored = await findStored(db, { tenantId, id })
  if (stored === undefined) throw notFound()
  return stored
}

function toSuggestion(stored: StoredSuggestion, { state, reason: stateReason }: StateNow): Suggestion {
  const { id, businessId, purpose, jobId, result, evidence, evidenceHash, fingerprint, versions } = stored
  const { decision, decided } = stored
  return {
    id,
    businessId,
    purpose,
    label: SUGGESTION_LABEL,
    state,
    stateReason,
    jobId,
    result,
    claims: stored.claims,
    evidence,
    evidenceHash,
    fingerprint,
    versions,
    fallbackUsed: stored.fallbackUsed,
    usage: stored.usage,
    requestedAt: stored.requestedAt,
    requestedBy: stored.requestedBy,
    decision: decision === null || decided === null ? null : { decision: decided, ...decision },
  }
}

/** Bytes sent and received, while their retention lasts. Errors: `not_found`. */
export async function readExchange(store: Store, reader: UserActor, id: string): Promise<Exchange> {
  const { tenantId } = reader
  const { businessId } = await getStored(store.reader, tenantId, id)
  const business = await getBusiness(store.reader, tenantId, businessId)
  const isHidden = (await hidesWrittenFor(store.reader, reader, business, [businessId]))(businessId)
  const rows = await selectExchanges(store.reader, { tenantId, id })
  return {
    items: rows.map((row) => ({
      direction: row.direction,
      body: isHidden && row.body !== null ? HIDDEN : row.body,
      bytes: row.bytes,
      sha256: row.sha256,
      at: row.at,
      deleteAfter: row.delete_after,
      emptiedAt: row.emptied_at,
    })),
  }
}

function viewNow(store: Store, { tenantId }: UserActor, adapters: LoadedAdapters): RegistryView {
  return { db: store.reader, tenantId, at: store.clock().toISOString(), adapters }
}
