import { keysOf } from '../../../lib/keys-of.ts'
import type { HeldPart, HoldContext } from '../../held.ts'

/** Maximum number of suggestions, and of merges, of one side of one record. */
const MAX_ROWS = 1_000

const columnsOfSuggestions = {
  id: 'Id',
  business_a: 'Record',
  business_b: 'Other record',
  status: 'Status',
  score: 'Score',
  created_at: 'At',
  decided_at: 'Decided at',
  decided_by: 'Decided by',
  decision_reason: 'Reason',
}
const columnsOfMerges = {
  id: 'Id',
  survivor_id: 'Into the record',
  loser_id: 'Merged record',
  status: 'Status',
  merged_at: 'At',
  merged_by: 'By',
  reason: 'Reason',
  reversed_at: 'Reversed at',
  reversed_by: 'Reversed by',
  reversal_reason: 'Reason of the reversal',
}

/**
 * Returns the suggestions and merges of the records: with which record, when, and why. The compared values stay out, because they are also those of
 * the other record.
 */
export async function holdMatches(context: HoldContext): Promise<HeldPart[]> {
  const suggestions = []
  const merges = []
  for (const businessId of context.businessIds) {
    for (const side of ['business_a', 'business_b'] as const)
      suggestions.push(...(await suggestionsOf(context, businessId, side)))
    for (const side of ['survivor_id', 'loser_id'] as const) merges.push(...(await mergesOf(context, businessId, side)))
  }
  return [
    {
      key: 'match_suggestions',
      title: 'Suggested duplicates',
      permission: 'matching.read',
      columns: columnsOfSuggestions,
      rows: onceEach(suggestions),
    },
    {
      key: 'merges',
      title: 'Merges',
      permission: 'matching.read',
      columns: columnsOfMerges,
      rows: onceEach(merges),
    },
  ]
}

function suggestionsOf({ db, tenantId }: HoldContext, businessId: string, side: 'business_a' | 'business_b') {
  return db
    .selectFrom('match_suggestions')
    .select(keysOf(columnsOfSuggestions))
    .where('tenant_id', '=', tenantId)
    .where(side, '=', businessId)
    .limit(MAX_ROWS)
    .execute()
}

function mergesOf({ db, tenantId }: HoldContext, businessId: string, side: 'survivor_id' | 'loser_id') {
  return db
    .selectFrom('merges')
    .select(keysOf(columnsOfMerges))
    .where('tenant_id', '=', tenantId)
    .where(side, '=', businessId)
    .limit(MAX_ROWS)
    .execute()
}

function onceEach<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
