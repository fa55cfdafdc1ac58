import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../store/change.ts'
import type { Database } from '../../../store/database.ts'
import type { Canonical } from '../rules/findings.rules.ts'
import { forgetKeys } from './suggestions.queries.ts'

type Db = Kysely<Database>

/** What matching ever kept about some records. */
export type MatchesOf = { suggestionIds: string[]; mergeIds: string[]; snapshotIds: string[] }

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
  return { suggestionIds: idsOf(suggestions), mergeIds: idsOf(merges), snapshotIds: idsOf(snapshots) }
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
  for (const id of found.snapshotIds) {
    await tx.db
      .updateTable('merge_snapshots')
      .set({ content: '{}' })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
  }
}

async function eraseSuggestion(tx: Tx, id: string): Promise<void> {
  const emptied = { evidence: '[]', canonical: JSON.stringify([nothing, nothing]), facts: '' }
  const suggestions = () =>
    tx.db.updateTable('match_suggestions').where('tenant_id', '=', tx.actor.tenantId).where('id', '=', id)
  await suggestions().where('status', '=', 'open').set({ status: 'superseded', updated_at: tx.at }).execute()
  await suggestions()
    .where('decision_reason', 'is not', null)
    .set({ ...emptied, decision_reason: ERASED })
    .execute()
  await suggestions().where('decision_reason', 'is', null).set(emptied).execute()
}

async function eraseMerge(tx: Tx, id: string): Promise<void> {
  const merges = () => tx.db.updateTable('merges').where('tenant_id', '=', tx.actor.tenantId).where('id', '=', id)
  const emptied = { reason: ERASED, choices: '[]', after: '{}' }
  await merges().where('reversal_reason', 'is', null).set(emptied).execute()
  await merges()
    .where('reversal_reason', 'is not', null)
    .set({ ...emptied, reversal_reason: ERASED })
    .execute()
}
