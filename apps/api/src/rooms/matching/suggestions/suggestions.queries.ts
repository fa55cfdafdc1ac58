import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { elementsOf, jsonField, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import type { MatchSnapshotTable, MatchSuggestionCountTable, MatchSuggestionTable } from '../matching.table.ts'
import { bandOf } from '../rules/exact-arithmetic.rules.ts'

export type KeptSuggestion = Pick<
  MatchSuggestionTable,
  | 'id'
  | 'business_a'
  | 'business_b'
  | 'status'
  | 'evidence'
  | 'canonical'
  | 'facts'
  | 'snapshot_id'
  | 'algorithm_version'
  | 'normalization_version'
  | 'renews'
  | 'updated_at'
>

// The wanted pair, from the outer loop of the join, so that SQLite looks up each pair.
const pair = sql.ref('pair.value')
const pairRows = prepared<{ tenantId: string; pairs: string }>()(
  (_db, param) => sql<KeptSuggestion>`
    SELECT match_suggestions.id, business_a, business_b, status, evidence, canonical, facts, snapshot_id, algorithm_version,
      normalization_version, renews, updated_at
    FROM ${elementsOf(param('pairs'), 'pair')} ${thenJoin} match_suggestions
      ON tenant_id = ${param('tenantId')} AND business_a = ${jsonField(pair, 0)} AND business_b = ${jsonField(pair, 1)}`,
)

/** Returns all suggestions that these pairs ever had, newest first, by the text `a b`. A pair has only a few. */
export async function selectSuggestionsOfPairs(
  db: Db,
  tenantId: string,
  pairs: readonly { a: string; b: string }[],
): Promise<Map<string, KeptSuggestion[]>> {
  const rows = await pairRows(db, { tenantId, pairs: JSON.stringify(pairs.map(({ a, b }) => [a, b])) })
  return Map.groupBy(
    rows.sort((x, y) => (x.id < y.id ? 1 : -1)),
    ({ business_a, business_b }) => `${business_a} ${business_b}`,
  )
}

const endedRows = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<{ id: string }>`
    SELECT businesses.id FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} businesses
      ON tenant_id = ${param('tenantId')} AND businesses.id = wanted.value AND status <> 'active'`,
)

/** Returns the ids of all records of these pairs that are merged or inactive now. */
export async function selectEnded(
  db: Db,
  tenantId: string,
  pairs: readonly { a: string; b: string }[],
): Promise<ReadonlySet<string>> {
  const ids = JSON.stringify([...new Set(pairs.flatMap(({ a, b }) => [a, b]))])
  return new Set((await endedRows(db, { tenantId, ids })).map(({ id }) => id))
}

const undecided = { status: 'open', decided_at: null, decided_by: null, decision_reason: null } as const
export type NewSuggestion = Omit<MatchSuggestionTable, 'tenant_id' | keyof typeof undecided>

const insertRow = preparedInsert('match_suggestions', [
  'tenant_id',
  'id',
  'business_a',
  'business_b',
  'status',
  'score',
  'evidence',
  'canonical',
  'facts',
  'normalization_version',
  'algorithm_version',
  'snapshot_id',
  'renews',
  'created_at',
  'updated_at',
  'decided_at',
  'decided_by',
  'decision_reason',
])

const addToCount = prepared<MatchSuggestionCountTable>()((db, param) =>
  db
    .insertInto('match_suggestion_counts')
    .values({ tenant_id: param('tenant_id'), status: param('status'), band: param('band'), count: param('count') })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'status', 'band'])
        .doUpdateSet((eb) => ({ count: eb('match_suggestion_counts.count', '+', eb.ref('excluded.count')) })),
    ),
)

/**
 * Inserts open suggestions of one tenant and adds them to the counts. Triggers count every later change
 * (docs/decisions/counts-are-kept-by-triggers.md).
 */
export async function insertSuggestions(db: Db, tenantId: string, rows: readonly NewSuggestion[]): Promise<void> {
  for (const row of rows) await insertRow(db, { ...row, tenant_id: tenantId, ...undecided })
  const bands = Map.groupBy(rows, ({ score }) => bandOf(score) ?? 'review')
  for (const [band, { length: count }] of bands) {
    await addToCount(db, { tenant_id: tenantId, status: undecided.status, band, count })
  }
}

export async function updateSuggestion(
  db: Db,
  tenantId: string,
  id: string,
  columns: Partial<Omit<MatchSuggestionTable, 'tenant_id' | 'id' | 'business_a' | 'business_b'>>,
): Promise<void> {
  await db
    .updateTable('match_suggestions')
    .set(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Returns the two records of a suggestion. */
export async function getPair(db: Db, tenantId: string, id: string): Promise<[string, string]> {
  const { business_a, business_b } = await db
    .selectFrom('match_suggestions')
    .select(['business_a', 'business_b'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return [business_a, business_b]
}

export type OpenSuggestion = Pick<MatchSuggestionTable, 'id' | 'business_a' | 'business_b'>

/** Returns the open suggestions of one business on either side. */
export const selectOpenOf = prepared<{ tenantId: string; businessId: string }>()((db, param) => {
  const on = (side: 'business_a' | 'business_b') =>
    db
      .selectFrom('match_suggestions')
      .select(['id', 'business_a', 'business_b'])
      .where('tenant_id', '=', param('tenantId'))
      .where(side, '=', param('businessId'))
      .where('status', '=', 'open')
  return on('business_a').unionAll(on('business_b'))
})

/** Returns the given suggestions that are open and unchanged since the given time. */
export async function selectStillOpen(db: Db, tenantId: string, ids: readonly string[], since: string) {
  return db
    .selectFrom('match_suggestions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .where('status', '=', 'open')
    .where('updated_at', '<=', since)
    .execute()
}

export async function findSnapshot(db: Db, tenantId: string): Promise<MatchSnapshotTable | undefined> {
  return db
    .selectFrom('match_snapshots')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertSnapshot(db: Db, row: MatchSnapshotTable): Promise<void> {
  await db.insertInto('match_snapshots').values(row).execute()
}
