import { type Cursors, MAX_COUNTED, type Page, type PageQuery, toPage, totalOf } from '../../../http/pagination.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { findTenantNumber } from '../runs/tenant-number.ts'
import { selectActivations, selectHistory } from './score-history.queries.ts'
import type { ScoreChange } from './scores.schema.ts'

/**
 * Lists every change of priority or eligibility of one record, newest first: changes while a version was active, and switches from one run to
 * another. Errors: `not_found`.
 */
export async function listScoreHistory(
  store: Store,
  cursors: Cursors,
  { tenantId, businessId }: { tenantId: string; businessId: string },
  { limit, cursor }: PageQuery,
): Promise<Page<ScoreChange>> {
  const db = store.reader
  const business = await getBusiness(db, tenantId, businessId)
  const binding = ['score-history', tenantId, businessId]
  const [at, id] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const before = at === undefined ? undefined : { at: String(at), id: String(id) }
  const wanted = { tenantId, businessId, tenant: await findTenantNumber(db, tenantId), since: business.createdAt }
  const changes = await selectHistory(db, { ...wanted, before, limit: limit + 1 })
  const switches = await selectActivations(db, { ...wanted, before, limit: limit + 1 })
  const count = async (background: Store['reader']) => {
    const all = { ...wanted, before: undefined, limit: MAX_COUNTED + 1 }
    return (await selectHistory(background, all)).length + (await selectActivations(background, all)).length
  }
  const rows = [...changes, ...switches].sort(newestFirst).slice(0, limit + 1)
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, count),
    toItem: (row) => row,
    cursorAfter: (row) => cursors.encode(binding, [row.at, row.id]),
  })
}

function newestFirst(a: { at: string; id: string }, b: { at: string; id: string }): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
