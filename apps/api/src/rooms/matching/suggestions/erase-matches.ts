import { sql } from 'kysely'
import type { Tx } from '../../../store/change/change.ts'
import { type EmptiedTables, ERASED, emptyRows, erasedText, stateInstead } from '../../../store/change/empty-rows.ts'
import type { Db } from '../../../store/database.ts'
import {
  alongIndex,
  contains,
  elementsOf,
  entriesOf,
  inList,
  jsonEntries,
  thenJoin,
} from '../../../store/engine/dialect.ts'
import { wordsOfNobody } from '../../businesses/businesses.ts'
import { readBusinessName } from '../../normalization/normalization.ts'
import { EMPTIED } from '../merging/merges.table.ts'
import type { Canonical } from '../rules/findings.rules.ts'
import { forgetKeys } from './match-keys.queries.ts'

/**
 * Ids of all rows of matching that can contain values of some records. `carried`: merges that gave the values to another record, until a reversal
 * removed them; rows about that other record in this time contain the values too.
 */
export type SuggestionTraces = {
  suggestionIds: string[]
  mergeIds: string[]
  snapshotIds: string[]
  carried: CarriedMerge[]
}
export type CarriedMerge = { mergeId: string; survivorId: string; mergedAt: string; reversedAt: string | null }

const nothing: Canonical = {
  names: [],
  legalForm: null,
  phones: [],
  emails: [],
  domains: [],
  registrationNumber: null,
  address: null,
  doubts: [],
}

/** Finds suggestions and merges of these records, and every snapshot that contains one of them. */
export async function suggestionTracesOf(db: Db, tenantId: string, ids: readonly string[]): Promise<SuggestionTraces> {
  const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)
  // Joins from each record to its suggestions, because with a list SQLite would scan all suggestions of the tenant.
  const suggestions = await sql<{ id: string }>`
    SELECT s.id FROM ${elementsOf(ids, 'one')} ${thenJoin} match_suggestions s ${alongIndex('match_suggestions_by_first')}
      ON s.tenant_id = ${tenantId} AND s.business_a = one.value
    UNION SELECT s.id FROM ${elementsOf(ids, 'one')} ${thenJoin} match_suggestions s ${alongIndex('match_suggestions_by_second')}
      ON s.tenant_id = ${tenantId} AND s.business_b = one.value`.execute(db)
  const merges = await sql<{ id: string }>`
    SELECT m.id FROM ${elementsOf(ids, 'one')} ${thenJoin} merges m ${alongIndex('merges_by_survivor')}
      ON m.tenant_id = ${tenantId} AND m.survivor_id = one.value
    UNION SELECT m.id FROM ${elementsOf(ids, 'one')} ${thenJoin} merges m ${alongIndex('merges_by_loser')}
      ON m.tenant_id = ${tenantId} AND m.loser_id = one.value`.execute(db)
  // Finds every snapshot that can contain one of these records. A snapshot contains its two records and all records merged into them before.
  const snapshots = await sql<{ id: string }>`
    WITH RECURSIVE above (id) AS (
      SELECT value FROM ${elementsOf(ids, 'one')}
      UNION SELECT m.survivor_id FROM above ${thenJoin} merges m ${alongIndex('merges_by_loser')}
        ON m.tenant_id = ${tenantId} AND m.loser_id = above.id),
    near (id) AS (
      SELECT s.id FROM above ${thenJoin} merge_snapshots s ${alongIndex('merge_snapshots_by_survivor')}
        ON s.tenant_id = ${tenantId} AND s.survivor_id = above.id
      UNION SELECT s.id FROM above ${thenJoin} merge_snapshots s ${alongIndex('merge_snapshots_by_loser')}
        ON s.tenant_id = ${tenantId} AND s.loser_id = above.id)
    SELECT s.id FROM near ${thenJoin} merge_snapshots s ON s.tenant_id = ${tenantId} AND s.id = near.id
    WHERE EXISTS (SELECT 1 FROM ${elementsOf(ids, 'one')} WHERE ${contains(sql.ref('s.content'), sql.ref('one.value'))})`.execute(
    db,
  )
  const snapshotIds = idsOf(snapshots)
  const { rows: carried } = await sql<CarriedMerge>`
    SELECT id AS "mergeId", survivor_id AS "survivorId", merged_at AS "mergedAt", reversed_at AS "reversedAt" FROM merges
    WHERE tenant_id = ${tenantId} AND snapshot_id IN ${inList(snapshotIds)}
      AND survivor_id NOT IN ${inList(ids)}`.execute(db)
  return { suggestionIds: idsOf(suggestions), mergeIds: idsOf(merges), snapshotIds, carried }
}

const emptiedComparison = { evidence: '[]', canonical: JSON.stringify([nothing, nothing]) }
const emptiedMerge = { choices: '[]', after: EMPTIED }

/** Erases the content of suggestions and merges of a record. Open suggestions end. */
export const erasedTables = {
  match_suggestions: {
    set: {
      ...emptiedComparison,
      facts: '',
      status: stateInstead(['open'], 'superseded'),
      updated_at: (column, tx) => sql`CASE WHEN status = 'open' THEN ${tx.at} ELSE ${sql.ref(column)} END`,
      decision_reason: erasedText,
    },
  },
  merges: { set: { ...emptiedMerge, reason: ERASED, reversal_reason: erasedText } },
  merge_snapshots: { set: { content: EMPTIED } },
} satisfies EmptiedTables

/**
 * Empties the rows of matching about these records: compared values, decisions on fields, and snapshots, so that no reversal can restore them. The
 * erasure room calls this after it has recorded the erasure.
 */
export async function eraseMatches(tx: Tx, ids: readonly string[], found: SuggestionTraces): Promise<void> {
  const { mergeIds, snapshotIds, suggestionIds, carried } = found
  for (const id of ids) await forgetKeys(tx.db, tx.actor.tenantId, id)
  await emptyRows(tx, erasedTables, { of: 'match_suggestions', ids: suggestionIds })
  await emptyRows(tx, erasedTables, { of: 'merges', ids: mergeIds })
  for (const merge of carried) await emptyCarried(tx, merge)
  const others = carried.map(({ mergeId }) => mergeId).filter((id) => !mergeIds.includes(id))
  await emptyRows(tx, { merges: { set: emptiedMerge } }, { of: 'merges', ids: others })
  await emptyRows(tx, erasedTables, { of: 'merge_snapshots', ids: snapshotIds })
}

/**
 * Empties the compared values in suggestions of a record from the time when it had the erased values. Their decisions and fact hashes stay. Open
 * suggestions are left out, because a later comparison has replaced their values.
 */
async function emptyCarried(tx: Tx, { survivorId, mergedAt, reversedAt }: CarriedMerge): Promise<void> {
  for (const side of ['business_a', 'business_b'] as const) {
    await tx.db
      .updateTable('match_suggestions')
      .set(emptiedComparison)
      .where('tenant_id', '=', tx.actor.tenantId)
      .where(side, '=', survivorId)
      .where('status', '<>', 'open')
      .where('updated_at', '>=', mergedAt)
      .$if(reversedAt !== null, (query) => query.where('created_at', '<=', reversedAt ?? ''))
      .execute()
  }
}

/**
 * Candidates for removal from the word counts: counted words of some names that probably no other record contains. `isStillCounted` verifies them.
 */
export type CountedWords = { names: readonly string[]; snapshotIds: readonly string[]; words: readonly string[] }

/**
 * Finds the counted words of these names that no other record contains. A word is counted if it occurs in more than one name. The time is
 * proportional to the number of names, so run it outside a transaction.
 */
export async function countedWordsOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  names: readonly string[],
): Promise<CountedWords> {
  const snapshotIds = await snapshotsOf(db, tenantId)
  const { rows } = await sql<{ word: string }>`
    SELECT DISTINCT counted.key AS word FROM match_snapshots s ${thenJoin} ${entriesOf(sql.ref('s.words'), 'counted')} ON true
    WHERE s.tenant_id = ${tenantId} AND counted.key IN ${inList(wordsIn(names))}`.execute(db)
  const counted = rows.map(({ word }) => word)
  return { names, snapshotIds, words: await wordsOfNobody(db, tenantId, counted, ids) }
}

/** True if the result of `countedWordsOf` is still valid: since then no run counted words and no name was added. */
export async function isStillCounted(tx: Tx, names: readonly string[], looked: CountedWords): Promise<boolean> {
  const known = new Set([...looked.names, ...looked.snapshotIds])
  return [...names, ...(await snapshotsOf(tx.db, tx.actor.tenantId))].every((one) => known.has(one))
}

/** Deletes these words from the counts, except words that a record still contains. Call it after the erased records no longer contain them. */
export async function eraseWords(tx: Tx, { words }: CountedWords): Promise<void> {
  const { tenantId } = tx.actor
  const gone = await wordsOfNobody(tx.db, tenantId, words)
  if (gone.length === 0) return
  const counted = entriesOf(sql.ref('words'), 'counted')
  await tx.db
    .updateTable('match_snapshots')
    .set({
      words: sql<string>`(SELECT ${jsonEntries(sql.ref('key'), sql.ref('value'))} FROM ${counted} WHERE key NOT IN ${inList(gone)})`,
    })
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`EXISTS (SELECT 1 FROM ${counted} WHERE key IN ${inList(gone)})`)
    .execute()
}

async function snapshotsOf(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db.selectFrom('match_snapshots').select('id').where('tenant_id', '=', tenantId).execute()
  return rows.map(({ id }) => id)
}

function wordsIn(names: readonly string[]): string[] {
  const words = names.flatMap((name) => {
    const { words: own, tradingAs, qualifier } = readBusinessName(name)
    return [...own, ...(tradingAs ?? []), ...(qualifier ?? [])]
  })
  return [...new Set(words)]
}
