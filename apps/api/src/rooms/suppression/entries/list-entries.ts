import { type Cursors, newestFirst, type Page, type PageQuery, toPage, totalOf } from '../../../http/pagination.ts'
import { unique } from '../../../lib/unique.ts'
import type { Store } from '../../../store/store.ts'
import { entryKeysFor, keyHasher, recordKeyRanges, recordKeysOf } from '../../contact-gate/contact-gate.ts'
import { getTenant } from '../../identity/identity.ts'
import { likelyKind, normalizeForBlock } from '../../normalization/normalization.ts'
import {
  getSuppression,
  historyOf,
  type KeySearch,
  listedSuppressions,
  pastTerm,
  selectHistory,
  selectPastTerm,
  selectSuppressions,
  termBegan,
  toSuppression,
} from '../suppression.queries.ts'
import type { BusinessSuppression, HistoryItem, ListSuppressions, Match, Suppression } from '../suppression.schema.ts'
import { entriesOfBusiness, matchesOf, selectEntriesOfBusiness, selectMatches } from './match.queries.ts'
import type { Term } from './review-term.rules.ts'
import { reviewTermOf } from './review-term.ts'

/**
 * Lists the entries of the tenant, newest first, including ended ones. A search returns the entries that would match the typed value in any of its
 * forms (tombstones by their hash). For a domain it also returns entries of addresses and hosts below it.
 */
export async function listSuppressions(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  query: ListSuppressions,
): Promise<Page<Suppression>> {
  const { q, kind, status, ...page } = query
  const term = await reviewTermOf(store.reader, tenantId, store.clock().toISOString())
  const search = q === undefined ? undefined : await searchFor(store, tenantId, q)
  const db = search === undefined ? store.reader : store.backgroundOf(tenantId)
  if (status === 'past_term') return listPastTerm(store, cursors, { db, tenantId, search, term, query })
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['suppressions', tenantId, q ?? '', kind ?? '', status ?? ''],
    query: page,
    fetch: (before, limit) => selectSuppressions(db, { tenantId, search, kind, status, before, limit }),
    count: (background) => listedSuppressions(background, { tenantId, search, kind, status }),
    toItem: (row) => toSuppression(row, term),
  })
}

/** Lists active entries whose review term has ended. The list is empty if the tenant has no review term. */
async function listPastTerm(
  store: Store,
  cursors: Cursors,
  wanted: {
    db: Store['reader']
    tenantId: string
    search: KeySearch | undefined
    term: Term | null
    query: ListSuppressions
  },
): Promise<Page<Suppression>> {
  const { db, tenantId, search, term, query } = wanted
  const { q, kind, limit, cursor } = query
  const binding = ['suppressions past their term', tenantId, q ?? '', kind ?? '', term?.months ?? null]
  const position = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const after = position === undefined ? undefined : { termBegan: String(position[0]), id: String(position[1]) }
  const past = { tenantId, search, kind, pastBefore: term?.pastBefore ?? '' }
  const rows = term === null ? [] : await selectPastTerm(db, { ...past, after, limit: limit + 1 })
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, (background) => pastTerm(background, past)),
    toItem: (row) => toSuppression(row, term),
    cursorAfter: (row) => cursors.encode(binding, [termBegan(row), row.id]),
  })
}

async function searchFor(store: Store, tenantId: string, q: string): Promise<KeySearch> {
  const hash = keyHasher(store.keys, tenantId)
  const kind = likelyKind(q)
  // Reads a local number both as South African and as one of the tenant's country, because a search may return too many entries but must not miss
  // one.
  const regions = kind === 'phone' ? unique(['ZA', (await getTenant(store.reader, tenantId)).country]) : [null]
  const recordKeys = unique(regions.flatMap((region) => recordKeysOf({ kind, value: q.trim(), region })))
  const keys = recordKeys.flatMap(entryKeysFor)
  const isDomain = kind === 'domain' && normalizeForBlock('domain', q).normalized !== null
  const below = isDomain ? recordKeys.filter((key) => key.startsWith('h:')).map((key) => key.slice(2)) : []
  return {
    keys: [...keys, ...keys.map(hash)],
    ranges: below.flatMap((host) => ['h', 't'].map((space) => belowHost(space, host))),
  }
}

function belowHost(space: string, host: string) {
  const [range] = recordKeyRanges(`t:${host}`)
  if (range === undefined) throw new Error('A host without a range of keys.')
  return { from: `${space}${range.from.slice(1)}`, to: `${space}${range.to.slice(1)}` }
}

/** Lists the history of an entry, newest first. Errors: `not_found`. */
export async function listHistory(
  store: Store,
  cursors: Cursors,
  wanted: { tenantId: string; suppressionId: string; query: PageQuery },
): Promise<Page<HistoryItem>> {
  const { tenantId, suppressionId, query } = wanted
  await getSuppression(store.reader, tenantId, suppressionId, store.clock().toISOString())
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['suppression history', tenantId, suppressionId],
    query,
    fetch: (before, limit) => selectHistory(store.reader, { tenantId, suppressionId, before, limit }),
    count: (background) => historyOf(background, { tenantId, suppressionId }),
    toItem: (row) => row,
  })
}

/** Lists the businesses that an entry matches now, or matched before. Errors: `not_found`. */
export async function listMatches(
  store: Store,
  cursors: Cursors,
  wanted: { tenantId: string; suppressionId: string; query: PageQuery },
): Promise<Page<Match>> {
  const { tenantId, suppressionId, query } = wanted
  await getSuppression(store.reader, tenantId, suppressionId, store.clock().toISOString())
  const binding = ['suppression matches', tenantId, suppressionId]
  const [position] = query.cursor === undefined ? [] : cursors.decode(binding, query.cursor)
  const after = position === undefined ? undefined : String(position)
  const rows = await selectMatches(store.reader, { tenantId, suppressionId, after, limit: query.limit + 1 })
  return toPage({
    rows,
    limit: query.limit,
    total: await totalOf(store, { tenantId, rows, ...query, cursor: query.cursor }, (background) =>
      matchesOf(background, { tenantId, suppressionId }),
    ),
    toItem: (row) => row,
    cursorAfter: ({ business }) => cursors.encode(binding, [business.id]),
  })
}

/** Lists the entries that match a business now, and then those that matched it before. The caller must check that the business exists. */
export async function listEntriesOfBusiness(
  store: Store,
  cursors: Cursors,
  wanted: { tenantId: string; businessId: string; query: PageQuery },
): Promise<Page<BusinessSuppression>> {
  const { tenantId, businessId, query } = wanted
  const binding = ['suppressions of a business', tenantId, businessId]
  const position = query.cursor === undefined ? undefined : cursors.decode(binding, query.cursor)
  const after = position === undefined ? undefined : { live: Number(position[0]), id: String(position[1]) }
  const term = await reviewTermOf(store.reader, tenantId, store.clock().toISOString())
  const page = { tenantId, businessId, term, after, limit: query.limit + 1 }
  const rows = await selectEntriesOfBusiness(store.reader, page)
  return toPage({
    rows,
    limit: query.limit,
    total: await totalOf(store, { tenantId, rows, ...query, cursor: query.cursor }, (background) =>
      entriesOfBusiness(background, { tenantId, businessId }),
    ),
    toItem: (row) => row,
    cursorAfter: ({ live, suppression }) => cursors.encode(binding, [live ? 1 : 0, suppression.id]),
  })
}
