import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planOf } from '../../../../test/statement-plans.ts'
import { tablesOfBusinesses } from '../../../../test/tables-of-businesses.ts'
import { actorIn, temporaryStore } from '../../../../test/temporary-store.ts'
import { isFreeText, textColumns } from '../../../../test/text-columns.ts'
import type { Tx } from '../../../store/change/change.ts'
import { type AnyEmptiedTable, declaredIn, type EmptiedTables, statementOf } from '../../../store/change/empty-rows.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { rooms } from '../../index.ts'
import { erasedTables as ofMatching } from '../../matching/suggestions/erase-matches.ts'

/*
 * Tests of the declarations of erasures against the schema. `nothing-left.test.ts` and `test/guarantees/erasure.test.ts` show that texts which a test
 * can write are gone; these tests find a column that no test writes.
 */

/** Text columns of tables that belong to a business and that no declaration names, by the reason. */
const others: Record<string, string> = {
  'emptied by the function `erase` of its room, because the values are derived or counted': `
    business_tags.tag business_tags.tag_key business_name_keys.name_key business_search.text business_search_pending.text
    suppression_record_keys.key`,
  'emptied with the content of the audit events; a residue is a hash': `
    audit_events.before_json audit_events.after_json audit_events.reason audit_events.salt audit_redactions.residue`,
  'emptied by the function `erase` of its room with all files of the tenant':
    'holdings.value holdings.value_normalized',
  'a sentence of the product: what ended an attempt to merge': 'merge_attempts.failure',
  'hash of a recipient under a secret of the tenant, so that the cap of drafts stays': 'draft_copies.recipient_key',
  'key of a request, which the client chose': 'draft_copies.idempotency_key pipeline_transitions.idempotency_key',
  'names of fields and of provinces that a source was asked for': 'source_queries.request source_queries.plan',
  'codes, counts, limits, ids and names of fields': `
    assist_results.result assist_results.state_code assist_results.state_subject assist_results.usage assist_results.versions
    audit_events.action audit_events.subject_type bulk_outcomes.before bulk_outcomes.after
    business_search.tenant business_search_pending.tenant businesses.merged_into
    contact_candidate_states.confidence contact_candidate_states.region contact_candidate_states.uncertainty
    draft_copies.policy draft_events.causes holdings.file draft_versions.jurisdiction draft_versions.language drafts.jurisdiction
    extraction_results.counts extraction_results.reasons extractions.limits extractions.scan_ids
    legal_bases.channels legal_bases.jurisdiction legal_bases.language
    match_suggestions.business_a match_suggestions.business_b match_suggestions.renews
    merges.ended_suggestions merges.read_back merges.reversal reviews.checked_fields reviews.undoes
    scan_results.applied scan_results.reasons scan_results.spent
    score_history.from_priority score_history.to_priority score_moves.from_priority score_moves.to_priority
    scoring_failures.reason scoring_preview_moves.from_cell scoring_preview_moves.to_cell
    source_permits.cause source_queries.outcome source_queries.purpose subject_requests.acts`,
}

const words = (text: string) => text.trim().split(/\s+/)

/** Every declared table of an erasure. Matching empties its tables by ids that it finds itself. */
const declared: [table: string, rule: AnyEmptiedTable][] = [
  ...rooms.flatMap(({ erases = {} }) => declaredIn(erases)),
  ...declaredIn(ofMatching satisfies EmptiedTables),
]

test('every text column of every table that belongs to a business is erased, or listed with the reason why not', async () => {
  const tables = await tablesOfBusinesses()
  const columns = (await textColumns()).filter((column) => tables.has(column.table) && isFreeText(column))
  expect(columns.length).toBeGreaterThan(100)
  const isErased = ({ table, name }: { table: string; name: string }) =>
    declared.some(
      ([one, { set, deletes }]) => one === table && (deletes === true || name.slice(table.length + 1) in (set ?? {})),
    )
  const left = columns.filter((column) => !isErased(column)).map(({ name }) => name)
  expect(left.toSorted()).toEqual(Object.values(others).flatMap(words).toSorted())
})

test('every declaration of an erasure finds its rows by an index, whatever the size of the tenant', async () => {
  const store = temporaryStore()
  const tx = { actor: actorIn('tenant'), at: '2026-11-29T00:00:00Z' } as Tx
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const isFound = (text: string, table: string, column: string) =>
    planOf(connection, text).some(
      (step) => step.startsWith(`SEARCH ${table} `) && step.includes(`(tenant_id=? AND ${column}=?`),
    )
  const scanned = declared.flatMap(([table, rule]) => {
    const { sql: text } = statementOf(tx, table, rule, '[]').compile(store.reader)
    const owner = rule.of ?? (rule.by === undefined && !(table in ofMatching) ? table : undefined)
    const ids = `SELECT id FROM ${owner} WHERE tenant_id = ? AND business_id IN (?, ?)`
    return [
      ...(isFound(text, table, rule.underBusiness ? 'business_id=? AND id' : (rule.by ?? 'id')) ? [] : [text]),
      ...(owner === undefined || isFound(ids, owner, 'business_id') ? [] : [ids]),
    ]
  })
  connection.close()
  expect(declared.length).toBeGreaterThan(30)
  expect(scanned).toEqual([])
})
