import { sql } from 'kysely'
import {
  type Cursors,
  exactTotal,
  type Page,
  type Position,
  type Total,
  toPage,
  totalOf,
} from '../../../http/pagination.ts'
import type { Actor } from '../../../lib/actor.ts'
import type { Db } from '../../../store/database.ts'
import { alongIndex } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { findBlockedAbove, findBusinessesByText, getBusiness } from '../../businesses/businesses.ts'
import { type ListSuggestions, limits, readFindings, type SuggestionSummary } from '../matching.schema.ts'
import type { MatchSuggestionTable } from '../matching.table.ts'
import { bandOf } from '../rules/exact-arithmetic.rules.ts'
import { bands } from '../rules/matching-configuration.data.ts'
import { reasonsOf } from '../rules/reasons.rules.ts'
import { countSuggestions } from './count-suggestions.ts'

type Side = 'business_a' | 'business_b'

/**
 * Lists suggestions of the tenant, highest score first. Pairs with a merged or inactive record are omitted unless the query asks for their status.
 * Records that are do not contact are marked. Errors: `invalid_request` (the cursor), `not_found` (the business).
 */
export async function listSuggestions(
  store: Store,
  cursors: Cursors,
  actor: Actor,
  query: ListSuggestions,
): Promise<Page<SuggestionSummary>> {
  const { limit, cursor, band, status, businessId, q } = query
  const { tenantId } = actor
  const binding = ['match-suggestions', tenantId, band ?? null, status, businessId ?? null, q ?? null]
  const after = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const wanted = { tenantId, band, status, after, limit: limit + 1 }
  if (businessId !== undefined) await getBusiness(store.reader, tenantId, businessId)
  const one = businessId === undefined ? undefined : [businessId]
  const of = q === undefined ? one : await findBusinessesByText(store, actor, q, limits.foundByText)
  const db = q === undefined ? store.reader : store.backgroundOf(tenantId)
  const rows = of === undefined ? await selectSuggestions(db, wanted) : await selectOf(db, wanted, of)
  const total =
    of === undefined
      ? await storedTotal(store, tenantId, query)
      : await totalOf(store, { tenantId, rows, limit, cursor }, (background) => rowsOf(background, wanted, of))
  const page = toPage({
    rows,
    limit,
    total,
    toItem: toSummary,
    cursorAfter: ({ score, id }) => cursors.encode(binding, [score, id]),
  })
  return { ...page, items: status === 'open' ? page.items : await withSurvivors(store.reader, tenantId, page.items) }
}

/** Marks merged records as do not contact if their survivor is, because the block of a survivor applies to all records merged into it. */
async function withSurvivors(
  db: Db,
  tenantId: string,
  items: readonly SuggestionSummary[],
): Promise<SuggestionSummary[]> {
  const ids = items.flatMap(({ businesses }) => businesses.map(({ id }) => id))
  const blocked = await findBlockedAbove(db, tenantId, ids)
  return items.map((item) => ({
    ...item,
    businesses: item.businesses.map((business) => ({ ...business, doNotContact: blocked.has(business.id) })),
  }))
}

/** Returns the suggestions in which one of these businesses is either record of the pair. A suggestion that pairs two of them is returned once. */
async function selectOf(db: Db, wanted: Wanted, businessIds: readonly string[]): Promise<Row[]> {
  if (businessIds.length === 0) return []
  const first = await selectSuggestions(db, { ...wanted, side: 'business_a', businessIds })
  const second = await selectSuggestions(db, { ...wanted, side: 'business_b', businessIds })
  const known = new Set(first.map(({ id }) => id))
  const both = [...first, ...second.filter(({ id }) => !known.has(id))]
  return both.sort((x, y) => y.score - x.score || (x.id < y.id ? 1 : -1))
}

/** Returns the exact number of matching suggestions from the stored counts. */
async function storedTotal(store: Store, tenantId: string, { status, band }: ListSuggestions): Promise<Total> {
  const { counts, asOf } = await countSuggestions(store, tenantId)
  const { strong, review } = counts[status]
  return exactTotal(band === undefined ? strong + review : counts[status][band], asOf)
}

/** Selects the suggestions of `selectOf`, each once. */
function rowsOf(db: Db, wanted: Filter, businessIds: readonly string[]) {
  const [first, second] = (['business_a', 'business_b'] as const).map((side) =>
    matchingSuggestions(db, { ...wanted, side, businessIds }),
  )
  return sql`(SELECT id FROM ${first} UNION SELECT id FROM ${second})`
}

type Filter = {
  tenantId: string
  band: ListSuggestions['band']
  status: ListSuggestions['status']
  side?: Side
  businessIds?: readonly string[]
}
type Wanted = Filter & { after: Position | undefined; limit: number }

const bySide = { business_a: 'match_suggestions_by_first', business_b: 'match_suggestions_by_second' } as const

/** Names the index of the side to search. Without the name, the planner would scan all suggestions of a large tenant by score. */
function suggestionsBy(side: Side | undefined) {
  const alias = side === undefined ? sql`s` : sql`s ${alongIndex(bySide[side])}`
  return sql<MatchSuggestionTable>`match_suggestions`.as<'s'>(alias)
}

async function selectSuggestions(db: Db, { after, limit, ...filter }: Wanted) {
  const [score, id] = after ?? []
  let query = matchingSuggestions(db, filter)
  if (score !== undefined && id !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('s.score', 's.id'), '<', tuple(Number(score), String(id))),
    )
  }
  return query.orderBy('s.score', 'desc').orderBy('s.id', 'desc').limit(limit).execute()
}

function matchingSuggestions(db: Db, { tenantId, band, status, side, businessIds }: Filter) {
  let query = db
    .selectFrom(suggestionsBy(side))
    .innerJoin('businesses as a', (join) =>
      join.onRef('a.tenant_id', '=', 's.tenant_id').onRef('a.id', '=', 's.business_a'),
    )
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 's.tenant_id').onRef('b.id', '=', 's.business_b'),
    )
    .select([
      's.id',
      's.score',
      's.status',
      's.evidence',
      's.normalization_version',
      's.algorithm_version',
      's.snapshot_id',
      's.created_at',
      's.updated_at',
      's.renews',
      'a.id as a_id',
      'a.name as a_name',
      'a.trading_name as a_trading_name',
      'a.city as a_city',
      'a.pipeline_state as a_state',
      'a.do_not_contact as a_blocked',
      'b.id as b_id',
      'b.name as b_name',
      'b.trading_name as b_trading_name',
      'b.city as b_city',
      'b.pipeline_state as b_state',
      'b.do_not_contact as b_blocked',
    ])
    .where('s.tenant_id', '=', tenantId)
    .where('s.status', '=', status)
  if (status === 'open') query = query.where('a.status', '=', 'active').where('b.status', '=', 'active')
  if (side !== undefined && businessIds !== undefined) query = query.where(`s.${side}`, 'in', businessIds)
  if (band === 'strong') query = query.where('s.score', '>=', bands.strong)
  if (band === 'review') query = query.where('s.score', '<', bands.strong)
  return query
}

type Row = Awaited<ReturnType<typeof selectSuggestions>>[number]

function toSummary(row: Row): SuggestionSummary {
  return {
    id: row.id,
    score: row.score,
    band: bandOf(row.score) ?? 'review',
    status: row.status,
    reasons: reasonsOf(readFindings(row.evidence), [
      { name: row.a_name, tradingName: row.a_trading_name },
      { name: row.b_name, tradingName: row.b_trading_name },
    ])
      .filter(({ field }) => field !== 'together')
      .slice(0, limits.reasonsInList),
    normalizationVersion: row.normalization_version,
    algorithmVersion: row.algorithm_version,
    snapshotId: row.snapshot_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    proposedAgain: row.renews !== null,
    businesses: [
      {
        id: row.a_id,
        name: row.a_name,
        city: row.a_city,
        pipelineState: row.a_state,
        doNotContact: row.a_blocked === 1,
      },
      {
        id: row.b_id,
        name: row.b_name,
        city: row.b_city,
        pipelineState: row.b_state,
        doNotContact: row.b_blocked === 1,
      },
    ],
  }
}
