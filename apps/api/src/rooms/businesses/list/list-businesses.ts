import { type Kysely, sql } from 'kysely'
import { type Cursors, type Page, type Position, type Total, toPage } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { HIDDEN, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import type { BusinessSummary, ListBusinesses } from '../businesses.schema.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { type CountMemory, countInCube, countWithTag, createCountMemory } from './business-counts.ts'
import { type Filter, filterOf } from './business-filter.ts'
import {
  backgroundPlan,
  conditionsOn,
  countUpTo,
  directPlan,
  type Order,
  orders,
  type Plan,
  SMALL_SET,
  type Source,
} from './list-plan.ts'

/** A count that no cube holds is made up to here; past it the total is not known. */
const COUNT_BOUND = 10_000

export type BusinessLister = (actor: UserActor, query: ListBusinesses) => Promise<Page<BusinessSummary>>

/** Up to how many rows a list gathers and sorts, and up to how many it counts; tests set them low. */
export type ListBounds = { smallSet: number; counted: number }

/** Lists active businesses of the actor's tenant, filtered, sorted, a page at a time by keyset. */
export function createBusinessLister(
  store: Store,
  cursors: Cursors,
  { smallSet, counted }: ListBounds = { smallSet: SMALL_SET, counted: COUNT_BOUND },
): BusinessLister {
  const remember = createCountMemory(store)
  return async (actor, query) => {
    const { limit, cursor, sort } = query
    const filter = filterOf(actor, query)
    const order = orders[sort]
    const binding = ['businesses', filter, sort, order.column]
    const after = cursor === undefined ? undefined : cursors.decode(binding, cursor)
    const plan = directPlan(filter, order) ?? (await backgroundPlan(store, filter, order, smallSet))
    const db = plan.way === 'direct' ? store.reader : store.background
    const [rows, total] = await Promise.all([
      fetchRows(db, plan.source, filter, order, limit + 1, after),
      totalOf(store, remember, filter, plan, counted),
    ])
    return toPage({
      rows,
      limit,
      total,
      toItem: (row) => toSummary(actor, row),
      cursorAfter: (row) => cursors.encode(binding, [row.sort_value, row.id]),
    })
  }
}

type SummaryRow = Pick<
  BusinessTable,
  | 'id'
  | 'version'
  | 'name'
  | 'trading_name'
  | 'industry'
  | 'pipeline_state'
  | 'do_not_contact'
  | 'status'
  | 'primary_email'
  | 'primary_phone'
  | 'primary_domain'
  | 'city'
  | 'province'
  | 'province_code'
  | 'tags'
  | 'assignee_id'
  | 'has_evidence'
  | 'created_at'
  | 'updated_at'
> & { assignee_name: string | null; sort_value: string }

async function fetchRows(
  db: Kysely<Database>,
  source: Source,
  filter: Filter,
  order: Order,
  limit: number,
  after: Position | undefined,
): Promise<SummaryRow[]> {
  const own = [sql.ref(`b.${order.column}`), sql`b.id`] as const
  const [column, id] = (order.column === 'updated_at' ? source.change : undefined) ?? own
  const direction = sql.raw(order.descending ? 'DESC' : 'ASC')
  const beyond = sql.raw(order.descending ? '<' : '>')
  const keyset = after === undefined ? sql`` : sql`AND (${column}, ${id}) ${beyond} (${after[0]}, ${after[1]})`
  const { rows } = await sql<SummaryRow>`
    SELECT b.id, b.version, b.name, b.trading_name, b.industry, b.pipeline_state, b.do_not_contact, b.status,
           b.primary_email, b.primary_phone, b.primary_domain, b.city, b.province, b.province_code, b.tags,
           b.assignee_id, assignee.name AS assignee_name, b.has_evidence, b.created_at, b.updated_at, ${column} AS sort_value
    FROM ${source.from} LEFT JOIN users AS assignee ON assignee.id = b.assignee_id
    WHERE ${conditionsOn(source, filter)} ${keyset}
    ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${limit}`.execute(db)
  return rows
}

/** The size of the matching set where it is known without a long walk through it; else null, which is not zero. */
async function totalOf(
  store: Store,
  remember: CountMemory,
  filter: Filter,
  plan: Plan,
  bound: number,
): Promise<Total | null> {
  const count = counterOf(store, filter, plan, bound)
  if (count === undefined) return null
  const { value, at } = await remember(JSON.stringify(filter), count)
  return value > bound && !isCounted(filter) ? null : { value, counts: 'matching_set', asOf: at.toISOString() }
}

/** True where the counts that are kept as rows are written answer exactly, at any size. */
function isCounted({ terms, nameStart, updatedFrom, updatedTo, tagKey, ...cube }: Filter): boolean {
  const beyond = [terms, nameStart, updatedFrom, updatedTo].some((value) => value !== undefined)
  return !beyond && (tagKey === undefined || Object.keys(cube).length === 1)
}

function counterOf(store: Store, filter: Filter, plan: Plan, bound: number): (() => Promise<number>) | undefined {
  const { tenantId, tagKey } = filter
  if (isCounted(filter))
    return () =>
      tagKey === undefined ? countInCube(store.reader, filter) : countWithTag(store.reader, tenantId, tagKey)
  const source = plan.way === 'scan' ? plan.counted : plan.source
  return source && (() => countUpTo(bound, store.background, source, filter))
}

/** Contact values of a record that is do not contact are for those who may see them. */
function toSummary(actor: UserActor, row: SummaryRow): BusinessSummary {
  const valuesHidden = hidesValuesFrom(actor, { doNotContact: row.do_not_contact === 1 })
  const shown = (value: string | null) => (valuesHidden && value !== null ? HIDDEN : value)
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    tradingName: row.trading_name,
    industry: row.industry,
    pipelineState: row.pipeline_state,
    doNotContact: row.do_not_contact === 1,
    status: row.status,
    primaryEmail: shown(row.primary_email),
    primaryPhone: shown(row.primary_phone),
    primaryDomain: shown(row.primary_domain),
    valuesHidden,
    city: row.city,
    province: row.province,
    provinceCode: row.province_code,
    tags: readTexts(row.tags),
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    hasEvidence: row.has_evidence === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
