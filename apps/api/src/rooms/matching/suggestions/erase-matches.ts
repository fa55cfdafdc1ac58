import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../store/change.ts'
import type { Database } from '../../../store/database.ts'
import { wordsOfNobody } from '../../businesses/businesses.ts'
import { readBusinessName } from '../../normalization/normalization.ts'
import type { Canonical } from '../rules/findings.rules.ts'
import { forgetKeys } from './suggestions.queries.ts'

type Db = Kysely<Database>

/**
 * What matching ever kept about some records. `carried`: merges by which another record held their values until a reversal took them out
 * of it again; what it was compared with, merged with and edited from in the meantime holds them too.
 */
export type MatchesOf = { suggestionIds: string[]; mergeIds: string[]; snapshotIds: string[]; carried: CarriedMerge[] }
export type CarriedMerge = { mergeId: string; survivorId: string; mergedAt: string; reversedAt: string | null }

const ERASED = 'Erased.'
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

/** Suggestions and merges that these records took part in, and every snapshot that holds one of them, whichever merge it was for. */
export async function matchesOf(db: Db, tenantId: string, ids: readonly string[]): Promise<MatchesOf> {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)
  const suggestions = await sql<{ id: string }>`
    SELECT id FROM match_suggestions WHERE tenant_id = ${tenantId} AND business_a IN ${list}
    UNION SELECT id FROM match_suggestions WHERE tenant_id = ${tenantId} AND business_b IN ${list}`.execute(db)
  const merges = await sql<{ id: string }>`
    SELECT id FROM merges WHERE tenant_id = ${tenantId} AND survivor_id IN ${list}
    UNION SELECT id FROM merges WHERE tenant_id = ${tenantId} AND loser_id IN ${list}`.execute(db)
  // A snapshot names everybody whom it holds; there are as many as merges, each read once.
  const snapshots = await sql<{ id: string }>`
    SELECT s.id FROM merge_snapshots s WHERE s.tenant_id = ${tenantId}
      AND EXISTS (SELECT 1 FROM json_each(${JSON.stringify(ids)}) one WHERE instr(s.content, one.value) > 0)`.execute(
    db,
  )
  const snapshotIds = idsOf(snapshots)
  const { rows: carried } = await sql<CarriedMerge>`
    SELECT id AS mergeId, survivor_id AS survivorId, merged_at AS mergedAt, reversed_at AS reversedAt FROM merges
    WHERE tenant_id = ${tenantId} AND snapshot_id IN (SELECT value FROM json_each(${JSON.stringify(snapshotIds)}))
      AND survivor_id NOT IN ${list}`.execute(db)
  return { suggestionIds: idsOf(suggestions), mergeIds: idsOf(merges), snapshotIds, carried }
}

/**
 * Empties what matching kept of these records: what was compared, what was decided of fields, and the snapshots, so that no reversal can
 * bring any of it back. Suggestions that were open end. For the erasure room, which has written down that they are erased.
 */
export async function eraseMatches(tx: Tx, ids: readonly string[], found: MatchesOf): Promise<void> {
  const { tenantId } = tx.actor
  for (const id of ids) await forgetKeys(tx.db, tenantId, id)
  for (const id of found.suggestionIds) await eraseSuggestion(tx, id)
  for (const id of found.mergeIds) await eraseMerge(tx, id)
  for (const merge of found.carried) {
    await emptyCarried(tx, merge)
    if (!found.mergeIds.includes(merge.mergeId)) await merges(tx, merge.mergeId).set(emptiedMerge).execute()
  }
  for (const id of found.snapshotIds) {
    await tx.db
      .updateTable('merge_snapshots')
      .set({ content: '{}' })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
  }
}

const emptiedComparison = { evidence: '[]', canonical: JSON.stringify([nothing, nothing]) }

/**
 * What a record was compared with while it held what is erased. Decisions stand, and so does what they stood on, which is a number. One
 * that is open was compared again since.
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
 * Takes out of what was counted of the tenant's words those that only these names held: a word is kept there when it stood in more than
 * one of them. To be called when the records hold them no longer.
 */
export async function eraseWords(tx: Tx, names: readonly string[]): Promise<void> {
  const { tenantId } = tx.actor
  const words = new Set(
    names.flatMap((name) => {
      const { words: own, tradingAs } = readBusinessName(name)
      return [...own, ...(tradingAs ?? [])]
    }),
  )
  for (const word of await wordsOfNobody(tx.db, tenantId, words)) {
    const path = `$.${JSON.stringify(word)}`
    await tx.db
      .updateTable('match_snapshots')
      .set({ words: sql<string>`json_remove(words, ${path})` })
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`json_type(words, ${path}) IS NOT NULL`)
      .execute()
  }
}

async function eraseSuggestion(tx: Tx, id: string): Promise<void> {
  const emptied = { ...emptiedComparison, facts: '' }
  const suggestions = () =>
    tx.db.updateTable('match_suggestions').where('tenant_id', '=', tx.actor.tenantId).where('id', '=', id)
  await suggestions().where('status', '=', 'open').set({ status: 'superseded', updated_at: tx.at }).execute()
  await suggestions()
    .where('decision_reason', 'is not', null)
    .set({ ...emptied, decision_reason: ERASED })
    .execute()
  await suggestions().where('decision_reason', 'is', null).set(emptied).execute()
}

const emptiedMerge = { choices: '[]', after: '{}' }

function merges(tx: Tx, id: string) {
  return tx.db.updateTable('merges').where('tenant_id', '=', tx.actor.tenantId).where('id', '=', id)
}

async function eraseMerge(tx: Tx, id: string): Promise<void> {
  const emptied = { ...emptiedMerge, reason: ERASED }
  await merges(tx, id).where('reversal_reason', 'is', null).set(emptied).execute()
  await merges(tx, id)
    .where('reversal_reason', 'is not', null)
    .set({ ...emptied, reversal_reason: ERASED })
    .execute()
}
