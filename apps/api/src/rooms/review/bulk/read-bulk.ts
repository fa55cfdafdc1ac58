import { type Cursors, newestFirst, type Page, type PageQuery, toPage } from '../../../http/pagination.ts'
import type { Store } from '../../../store/store.ts'
import {
  bulksOf,
  findNames,
  getBulkRow,
  getPreviewRow,
  type OutcomeSummary,
  readRecords,
  selectBulks,
  selectOutcomes,
  selectOutcomesAt,
  toBulk,
} from './bulk.queries.ts'
import type { Bulk, ListOutcomes, Outcome } from './bulk.schema.ts'
import { readValues } from './done.ts'

/** Returns one bulk action. Errors: `not_found`. */
export async function getBulk(store: Store, tenantId: string, id: string): Promise<Bulk> {
  return toBulk(await getBulkRow(store.reader, tenantId, id))
}

/** Lists the bulk actions of the tenant, newest first. */
export function listBulks(store: Store, cursors: Cursors, tenantId: string, query: PageQuery): Promise<Page<Bulk>> {
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['bulk-reviews', tenantId],
    query,
    fetch: (before, limit) => selectBulks(store.reader, { tenantId, before, limit }),
    count: (db) => bulksOf(db, tenantId),
    toItem: toBulk,
  })
}

/** Returns a page of outcomes in the order of the selection. A record without a stored outcome has not been processed yet. Errors: `not_found`. */
export async function listOutcomes(
  store: Store,
  cursors: Cursors,
  { tenantId, bulkId }: { tenantId: string; bulkId: string },
  { outcome, code, limit, cursor }: ListOutcomes,
): Promise<Page<Outcome>> {
  const bulk = await getBulkRow(store.reader, tenantId, bulkId)
  const { records: stored } = await getPreviewRow(store.reader, tenantId, bulk.preview_id)
  const known = new Map(
    (await selectOutcomes(store.backgroundOf(tenantId), tenantId, bulkId)).map((one) => [one.place, one] as const),
  )
  const matching = readRecords(stored)
    .map(([id], place) => ({ id, place, one: known.get(place) }))
    .filter(({ one }) => isWanted(one, outcome, code))
  const binding = ['bulk-outcomes', tenantId, bulkId, outcome ?? null, code ?? null]
  const [after = -1] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const rows = matching.filter(({ place }) => place > Number(after)).slice(0, limit + 1)
  const details = new Map(
    (
      await selectOutcomesAt(
        store.reader,
        tenantId,
        bulkId,
        rows.map(({ place }) => place),
      )
    ).map((row) => [row.place, row] as const),
  )
  const names = await findNames(
    store.reader,
    tenantId,
    rows.map(({ id }) => id),
  )
  return toPage({
    rows,
    limit,
    total: { value: matching.length, counts: 'matching_set', asOf: store.clock().toISOString() },
    toItem: ({ id, place }) => {
      const row = details.get(place)
      return {
        businessId: id,
        name: names.get(id) ?? null,
        outcome: row?.outcome ?? 'not_done',
        code: row?.code ?? null,
        before: row?.before == null ? null : readValues(row.before),
        after: row?.after == null ? null : readValues(row.after),
        auditEventId: row?.audit_event_id ?? null,
      }
    },
    cursorAfter: ({ place }) => cursors.encode(binding, [place]),
  })
}

function isWanted(
  one: OutcomeSummary | undefined,
  outcome: ListOutcomes['outcome'],
  code: ListOutcomes['code'],
): boolean {
  if (outcome !== undefined && (one?.outcome ?? 'not_done') !== outcome) return false
  return code === undefined || one?.code === code
}
