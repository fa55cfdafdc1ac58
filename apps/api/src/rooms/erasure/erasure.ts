import type { UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { mapValues } from '../../lib/map-values.ts'
import {
  findEventsToRedact,
  findRequestsToRedact,
  type RedactedEvent,
  redactEvents,
  statementOf,
  valuesTold,
} from '../../store/change/audit-redaction.ts'
import { type ChangeOptions, type ChangeResult, change, type Tx } from '../../store/change/change.ts'
import { eraseRows } from '../../store/change/empty-rows.ts'
import { findResultsAbout, forgetResults } from '../../store/change/idempotency.ts'
import { overwriteFreedPages } from '../../store/change/overwrite-freed.ts'
import type { Db } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { readBack } from '../audit/audit.ts'
import {
  type Business,
  familyOf,
  getBusiness,
  insertErasures,
  insertTombstones,
  wasErasedSince,
} from '../businesses/businesses.ts'
import { erasedCountNames, erasedCounts } from '../facts.ts'
import {
  type CountedWords,
  countedWordsOf,
  eraseMatches,
  eraseWords,
  isStillCounted,
  type SuggestionTraces,
  suggestionTracesOf,
} from '../matching/matching.ts'
import type { Erasure, Room } from '../room.ts'
import { contactValuesOf } from '../suppression/suppression.ts'
import type { EraseBusiness, ErasedBusiness } from './erasure.schema.ts'

/*
 * Erasure of a record (specification, Phase 12 §5: suppression is retained even if the contact is deleted). Erases all content about the record
 * wherever it is stored: the record and all records merged into it, their evidence, notes, interactions and reasons, suggestions, snapshots, the
 * content of their audit events, stored responses and files. Rows, ids, times, actions and actors remain, and so does every suppression.
 */

/** An erasure, as it is stored with its Idempotency-Key. */
type StoredErasure = Pick<ErasedBusiness, 'erased'> & { id: string; eventId: string }

/**
 * Erases a business with all records merged into it, in one change, and returns the numbers of what it erased with the id of the audit event. Each of `rooms` empties its own tables.
 * Errors: `not_found`, `business_not_active` (it was merged into another record and is erased with that record), `conflict` (already erased).
 */
export async function eraseBusiness(
  store: Store,
  rooms: readonly Room[],
  actor: UserActor,
  id: string,
  input: EraseBusiness,
  idempotency: ChangeOptions['idempotency'],
): Promise<ChangeResult<StoredErasure>> {
  const { tenantId } = actor
  const since = await afterAllBefore(store, tenantId)
  const family = await familyOf(store.reader, tenantId, id)
  // Search on the background reader, because stored responses have no index by the records in them.
  const looked = await lookForWords(store.backgroundOf(tenantId), tenantId, family)
  const about = [...family, ...carriersIn(looked)]
  const answers = await findResultsAbout(store.backgroundOf(tenantId), tenantId, about)
  const options = { permission: 'erasure.erase', action: 'business.erase', idempotency } as const
  return change(store, actor, options, async (tx) => {
    const business = await getErasable(tx, id)
    const erased = await familyOf(tx.db, tenantId, id)
    const found = await lookAt(tx, erased)
    // This is nearly always true. It is false if a record was renamed or erased, or if matching ran, since the search.
    const isAsLooked = (await isStillCounted(tx, found.names, looked.words)) && !(await wasErasedSince(tx, since))
    const words = isAsLooked ? looked.words : await countedWordsOf(tx.db, tenantId, erased, found.names)
    // In rare cases a record was merged in since the search. Search the tenant's stored responses again for it.
    const joined = [...erased, ...carriersIn(found.matches)].filter((one) => !about.includes(one))
    const more = joined.length === 0 ? [] : await findResultsAbout(tx.db, tenantId, joined)
    await forgetResults(tx.db, tenantId, { keys: [...answers, ...more], ids: [...about, ...joined], since })
    return overwriteFreedPages(tx, () =>
      erase(tx, { rooms, dataDir: store.dataDir, business, ids: erased, found, words }, input),
    )
  })
}

/** Returns the survivors whose stored matches contain values of the erased records. */
function carriersIn({ carried }: Pick<SuggestionTraces, 'carried'>): string[] {
  return carried.map(({ survivorId }) => survivorId)
}

/** Returns a time before which every change has committed. A search would miss a change that began earlier and is still being written. */
function afterAllBefore(store: Store, tenantId: string): Promise<string> {
  return store.write({ tenantId }, async () => ({ keep: false, value: store.clock().toISOString() }))
}

async function getErasable(tx: Tx, id: string): Promise<Business> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.erasedAt !== null) throw new AppError('conflict', 'This record was already erased.')
  if (business.status === 'merged') {
    throw new AppError(
      'business_not_active',
      'This record was merged into another record. Erase the other record, which includes this one, or undo the merge first.',
    )
  }
  return business
}

type Found = Awaited<ReturnType<typeof lookAt>>
type ToErase = {
  rooms: readonly Room[]
  dataDir: string
  business: Business
  ids: readonly string[]
  found: Found
  words: CountedWords
}

async function erase(
  tx: Tx,
  { rooms, dataDir, business, ids, found, words }: ToErase,
  { reason, suppress }: EraseBusiness,
): Promise<StoredErasure> {
  const { tenantId } = tx.actor
  await insertErasures(tx, business.id, ids)
  const inRooms = await eraseInRooms(tx, rooms, ids, { dataDir, values: found.values })
  await eraseMatches(tx, ids, found.matches)
  await eraseWords(tx, words)
  const requests = await findRequestsToRedact(tx.db, tenantId, inRooms.emptiedRequests)
  const events = [...found.events, ...requests].sort((a, b) => a.sequence - b.sequence)
  const isKept = suppress || found.isBlocked
  const tombstones = isKept ? await insertTombstones(tx, business.id, found.values) : 0
  const counts = {
    records: ids.length,
    ...inRooms.counts,
    suggestions: found.matches.suggestionIds.length,
    merges: found.matches.mergeIds.length,
    auditEvents: events.length,
    tombstones,
  }
  const eventId = await tx.record({
    subject: { type: 'business', id: business.id },
    businessId: business.id,
    after: { ...counts, redacted: statementOf(events) },
    reason,
  })
  await redactEvents(tx.db, tenantId, eventId, events)
  return { id: business.id, eventId, erased: counts }
}

/** Returns the erased business and the audit event of its erasure, both as read back. Errors: `not_found`. */
export async function getErased(
  db: Db,
  tenantId: string,
  { id, eventId, erased }: StoredErasure,
): Promise<ErasedBusiness> {
  return {
    business: await getBusiness(db, tenantId, id),
    erased,
    event: await readBack(db, tenantId, eventId),
  }
}

/** Empties the tables of each room, in the order of rooms, and adds up the counts. */
async function eraseInRooms(
  tx: Tx,
  rooms: readonly Room[],
  ids: readonly string[],
  about: Pick<Erasure, 'dataDir' | 'values'>,
) {
  const counts = mapValues(erasedCounts, () => 0)
  const emptiedRequests: string[] = []
  for (const room of rooms) {
    const erased = await room.erase?.(tx, ids, { ...about, emptiedRequests })
    const declared = await eraseRows(tx, room.erases ?? {}, ids)
    for (const name of erasedCountNames) counts[name] += (erased?.counts?.[name] ?? 0) + (declared[name] ?? 0)
    emptiedRequests.push(...(erased?.emptiedRequests ?? []))
  }
  return { counts, emptiedRequests }
}

/** Searches the history of the records for former names and counted words. Runs before the change, because its duration grows with the history. */
async function lookForWords(db: Db, tenantId: string, ids: readonly string[]) {
  const matches = await suggestionTracesOf(db, tenantId, ids)
  const names = await namesOf(db, tenantId, ids, await eventsOf(db, tenantId, ids, matches))
  return { carried: matches.carried, words: await countedWordsOf(db, tenantId, ids, names) }
}

/** Reads the data that the erasure needs and that it will erase. */
async function lookAt(tx: Tx, ids: readonly string[]) {
  const { tenantId } = tx.actor
  const values = []
  let isBlocked = false
  for (const id of ids) {
    const { own, claimed } = await contactValuesOf(tx.db, tenantId, id)
    values.push(...own, ...claimed)
    isBlocked ||= (await getBusiness(tx.db, tenantId, id)).doNotContact !== null
  }
  const matches: SuggestionTraces = await suggestionTracesOf(tx.db, tenantId, ids)
  const events = await eventsOf(tx.db, tenantId, ids, matches)
  return { values, names: await namesOf(tx.db, tenantId, ids, events), isBlocked, matches, events }
}

function eventsOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  matches: SuggestionTraces,
): Promise<RedactedEvent[]> {
  const { suggestionIds, mergeIds, snapshotIds, carried } = matches
  const subjectIds = [...suggestionIds, ...mergeIds, ...snapshotIds]
  return findEventsToRedact(db, tenantId, { businessIds: ids, subjectIds, mergeIds, carried })
}

/** Returns the current and former names of these records. */
async function namesOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  events: readonly RedactedEvent[],
): Promise<string[]> {
  const names = await valuesTold(db, tenantId, events, ['name', 'tradingName'])
  for (const id of ids) {
    const { name, tradingName } = await getBusiness(db, tenantId, id)
    names.push(name, ...(tradingName === null ? [] : [tradingName]))
  }
  return names
}
