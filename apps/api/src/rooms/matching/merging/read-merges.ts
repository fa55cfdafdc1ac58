import { type Cursors, newestFirst, type Page, type PageQuery, toPage, totalOf } from '../../../http/pagination.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import {
  type Business,
  familyOf,
  getBusiness,
  getStoredRecord,
  type StoredRecord,
} from '../../businesses/businesses.ts'
import { countChildren } from './count-children.ts'
import { countEvidenceOf, type Side } from './merge-choices.ts'
import { choosableFields, fieldValue, planMerge, renewed } from './merge-plan.rules.ts'
import { getMergeRow, type MergeRow, mergesOf, selectAttempts, selectMerges, toMergeSummary } from './merges.queries.ts'
import {
  type Attempt,
  type ListMerges,
  type Merge,
  type MergePreview,
  type MergeSummary,
  readChoices,
} from './merges.schema.ts'
import { EMPTIED } from './merges.table.ts'
import { pairFingerprint } from './pair-fingerprint.ts'
import { previewReversal } from './reversal-state.ts'

/** Returns one merge with its decisions and its read-back, and the outcome that a reversal would have now. Errors: `not_found`. */
export async function getMerge(db: Db, tenantId: string, id: string): Promise<Merge> {
  const row = await getMergeRow(db, tenantId, id)
  return {
    ...toMergeSummary(row),
    snapshotHash: row.snapshot_hash,
    snapshotAt: row.snapshot_at,
    choices: row.after === EMPTIED ? null : readChoices(row.choices),
    reversible: row.status === 'reversed' ? null : await reversibleOf(db, row),
  }
}

async function reversibleOf(db: Db, row: MergeRow): Promise<Merge['reversible']> {
  try {
    return { possible: true, hindrance: null, firstReverse: null, outcome: await previewReversal(db, row) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const first = error.details.errors?.[0]?.message ?? null
    return { possible: false, hindrance: error.message, firstReverse: first, outcome: null }
  }
}

/** Lists merges of the tenant, or of one business, newest first. Errors: `invalid_request` (the cursor), `not_found` (the business). */
export async function listMerges(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  { limit, cursor, status, businessId }: ListMerges,
): Promise<Page<MergeSummary>> {
  if (businessId !== undefined) await getBusiness(store.reader, tenantId, businessId)
  const binding = ['merges', tenantId, status ?? null, businessId ?? null]
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const wanted = { status, before: before === undefined ? undefined : String(before), limit: limit + 1 }
  const of = (column: 'survivor_id' | 'loser_id', id: string) =>
    selectMerges(store.reader, tenantId, { ...wanted, side: { column, businessId: id } })
  const rows =
    businessId === undefined
      ? await selectMerges(store.reader, tenantId, wanted)
      : [...(await of('survivor_id', businessId)), ...(await of('loser_id', businessId))].sort((a, b) =>
          a.id < b.id ? 1 : -1,
        )
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, () => mergesOf(tenantId, { status, businessId })),
    toItem: toMergeSummary,
    cursorAfter: ({ id }) => cursors.encode(binding, [id]),
  })
}

export function listAttempts(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  query: PageQuery,
): Promise<Page<Attempt>> {
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['merge-attempts', tenantId],
    query,
    fetch: (before, limit) => selectAttempts(store.reader, tenantId, { before, limit }),
    count: (db) => db.selectFrom('merge_attempts').select('id').where('tenant_id', '=', tenantId),
    toItem: (row) => row,
  })
}

/** Previews a merge: the number of children that each record has and the decisions that it needs. Errors: `not_found`. */
export async function previewMerge(db: Db, tenantId: string, suggestionId: string): Promise<MergePreview> {
  const row = await db
    .selectFrom('match_suggestions')
    .select(['business_a', 'business_b', 'score', 'evidence'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', suggestionId)
    .executeTakeFirstOrThrow(notFound)
  const a = await getBusiness(db, tenantId, row.business_a)
  const b = await getBusiness(db, tenantId, row.business_b)
  const first = { business: a, family: await familyOf(db, tenantId, a.id) }
  const second = { business: b, family: await familyOf(db, tenantId, b.id) }
  const stored = {
    a: renewed(await getStoredRecord(db, tenantId, a.id)),
    b: renewed(await getStoredRecord(db, tenantId, b.id)),
  }
  const fields: MergePreview['fields'] = []
  for (const field of choosableFields) {
    const values = [fieldValue(a, field), fieldValue(b, field)]
    const evidence = [
      await countEvidenceOf(db, tenantId, first.family, field),
      await countEvidenceOf(db, tenantId, second.family, field),
    ]
    const differs = values[0] !== values[1]
    fields.push({ field, values, evidence, differs, mustChoose: differs && field === 'pipelineState' })
  }
  return {
    fingerprint: await pairFingerprint(db, tenantId, [a, b], row),
    sides: [
      { ...(await sideOf(db, tenantId, first)), ...valuesAfter(stored.a, stored.b) },
      { ...(await sideOf(db, tenantId, second)), ...valuesAfter(stored.b, stored.a) },
    ],
    fields,
    pipelineStates: [a.pipelineState, b.pipelineState],
    doNotContact: blockWords(a, b),
  }
}

async function sideOf(db: Db, tenantId: string, { business, family }: Side) {
  const merged = []
  for (const one of family.slice(1)) merged.push((await getStoredRecord(db, tenantId, one)).business)
  return {
    id: business.id,
    counts: await countChildren(db, tenantId, family),
    merged: merged.map(({ id, name, do_not_contact }) => ({ id, name, doNotContact: do_not_contact === 1 })),
  }
}

/** Returns the number of identifiers and tags that a merge would copy or leave out. A person's choices do not change these numbers. */
function valuesAfter(survivor: StoredRecord, loser: StoredRecord) {
  const { takenOver, leftOut } = planMerge(survivor, loser, {})
  return { takenOver, leftOut }
}

function blockWords(a: Business, b: Business): string {
  if (a.doNotContact === null && b.doNotContact === null)
    return 'Neither record is marked do not contact. If an added value is on the do-not-contact list, the kept record is marked.'
  if (a.doNotContact !== null && b.doNotContact !== null)
    return 'Both records are marked do not contact, so the kept record is too. Undoing the merge removes neither mark.'
  const name = a.doNotContact === null ? b.name : a.name
  return `“${name}” is marked do not contact, so the kept record will be marked too. Undoing the merge does not remove the mark.`
}
