import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { alongIndex, inList, jsonField, rowsOf, thenJoin } from '../../store/engine/dialect.ts'
import { prepared } from '../../store/engine/prepared.ts'
import type { RegistryKind } from './registry.schema.ts'

/** Rows of one query. Each is short, because requests wait meanwhile. */
const ROWS_AT_ONCE = 500

/** A different value of the workspace. `isBlocked`: a prospect with it is do not contact. `states`: the pipeline states of its active prospects. */
export type HeldValue = { normalized: string; isBlocked: boolean; states: ReadonlySet<string> }

type Row = {
  normalized: string
  business_id: string
  position: number
  status: string
  do_not_contact: 0 | 1
  pipeline_state: string
}

const rowsAfter = prepared<{
  tenantId: string
  kind: RegistryKind
  normalized: string
  businessId: string
  position: number
  limit: number
}>()(
  (_db, param) => sql<Row>`
    SELECT i.normalized, i.business_id, i.position, b.status, b.do_not_contact, b.pipeline_state
    FROM business_identifiers i ${alongIndex('business_identifiers_by_value')}
      ${thenJoin} businesses b ON b.tenant_id = i.tenant_id AND b.id = i.business_id
    WHERE i.tenant_id = ${param('tenantId')} AND i.kind = ${param('kind')} AND i.normalized IS NOT NULL
      AND (i.normalized, i.business_id, i.position) > (${param('normalized')}, ${param('businessId')}, ${param('position')})
    ORDER BY i.normalized, i.business_id, i.position LIMIT ${param('limit')}`,
)

/**
 * Yields the different values of a kind that active prospects of the tenant have, in their order, in parts. A value of several prospects is blocked
 * if one of them is do not contact.
 */
export async function* heldValues(
  db: Db,
  { tenantId, kind }: { tenantId: string; kind: RegistryKind },
): AsyncGenerator<HeldValue[]> {
  let open: { normalized: string; isBlocked: boolean; states: Set<string> } | undefined
  let after = { normalized: '', businessId: '', position: -1 }
  for (;;) {
    const rows = await rowsAfter(db, { tenantId, kind, ...after, limit: ROWS_AT_ONCE })
    const found: HeldValue[] = []
    for (const { normalized, status, do_not_contact, pipeline_state } of rows) {
      if (open !== undefined && open.normalized !== normalized) {
        found.push(open)
        open = undefined
      }
      if (status !== 'active') continue
      open ??= { normalized, isBlocked: false, states: new Set() }
      open.states.add(pipeline_state)
      open.isBlocked ||= do_not_contact === 1
    }
    const last = rows.at(-1)
    const isEnd = last === undefined || rows.length < ROWS_AT_ONCE
    if (isEnd && open !== undefined) found.push(open)
    if (found.length > 0) yield found
    if (isEnd) return
    after = { normalized: last.normalized, businessId: last.business_id, position: last.position }
  }
}

/** True if an active prospect with one of these values is do not contact. */
export async function isAnyHolderBlocked(
  db: Db,
  tenantId: string,
  values: readonly { kind: RegistryKind; normalized: string }[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM ${rowsOf(values, 'one', { kind: 'text', normalized: 'text' })}
      ${thenJoin} business_identifiers i ${alongIndex('business_identifiers_by_value')}
        ON i.tenant_id = ${tenantId} AND i.kind = one.kind AND i.normalized = one.normalized
      ${thenJoin} businesses b ON b.tenant_id = i.tenant_id AND b.id = i.business_id
    WHERE b.status = 'active' AND b.do_not_contact = 1 LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Selects the active prospects that were added after a record with this id, or all of them. Ids ascend with time, whatever the clock says. */
export function addedAfter(db: Db, tenantId: string, id: string | undefined) {
  return db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>', id ?? '')
    .where('status', '=', sql.lit('active'))
}

const fieldOf: Readonly<Record<RegistryKind, string>> = { phone: 'phones', email: 'emails' }

/**
 * True if an event after this sequence gave one of these records other values of a kind, or made it active again: the file of a round has the values of
 * active records only.
 */
export async function hasChangedValues(
  db: Db,
  { tenantId, family, kind, after }: { tenantId: string; family: readonly string[]; kind: RegistryKind; after: number },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM audit_events e ${alongIndex('audit_events_by_business')}
    WHERE e.tenant_id = ${tenantId} AND e.business_id IN ${inList([...family])} AND e.sequence > ${after}
      AND (${jsonField(sql.ref('e.after_json'), fieldOf[kind])} IS NOT NULL OR ${jsonField(sql.ref('e.after_json'), 'status')} = 'active')
    LIMIT 1`.execute(db)
  return rows.length > 0
}
