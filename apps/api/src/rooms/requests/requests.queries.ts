import { sql, type Updateable } from 'kysely'
import { notFound } from '../../lib/app-error.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, inList } from '../../store/engine/dialect.ts'
import type { SubjectRequestTable } from './requests.table.ts'

export type RequestRow = SubjectRequestTable & {
  creator_name: string | null
  extender_name: string | null
  answerer_name: string | null
  business_name: string | null
  is_business_erased: 0 | 1
}

type Key = Pick<SubjectRequestTable, 'tenant_id' | 'id'>
type RequestIndex =
  | 'subject_requests_open'
  | 'subject_requests_answered'
  | 'subject_requests_filled'
  | 'subject_requests_by_contact'

export async function insertRequest(db: Db, row: SubjectRequestTable): Promise<void> {
  await db.insertInto('subject_requests').values(row).execute()
}

export async function updateRequest(
  db: Db,
  { tenant_id, id }: Key,
  set: Updateable<SubjectRequestTable>,
): Promise<void> {
  await db.updateTable('subject_requests').set(set).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

const requestTable = (index?: RequestIndex) =>
  sql<SubjectRequestTable>`subject_requests`.as<'r'>(index === undefined ? sql`r` : sql`r ${alongIndex(index)}`)

function requestsOf(db: Db, tenantId: string, index?: RequestIndex) {
  return db
    .selectFrom(requestTable(index))
    .leftJoin('users as creator', 'creator.id', 'r.created_by')
    .leftJoin('users as extender', 'extender.id', 'r.extended_by')
    .leftJoin('users as answerer', 'answerer.id', 'r.answered_by')
    .leftJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'r.tenant_id').onRef('b.id', '=', 'r.business_id'),
    )
    .leftJoin('erasures as x', (join) =>
      join.onRef('x.tenant_id', '=', 'r.tenant_id').onRef('x.business_id', '=', 'r.business_id'),
    )
    .selectAll('r')
    .select(['creator.name as creator_name', 'extender.name as extender_name', 'answerer.name as answerer_name'])
    .select(['b.name as business_name', sql<0 | 1>`x.business_id IS NOT NULL`.as('is_business_erased')])
    .where('r.tenant_id', '=', tenantId)
}

/** Errors: `not_found`. */
export function getRequestRow(db: Db, tenantId: string, id: string): Promise<RequestRow> {
  return requestsOf(db, tenantId).where('r.id', '=', id).executeTakeFirstOrThrow(notFound)
}

/** Days before and after every due day. */
const FIRST_DAY = ''
const LAST_DAY = '~'

/** Position in the list of open requests. */
export type OpenPosition = { dueOn: string; id: string }

/** Open requests of a tenant. `from`, `before`: only those that are due from this day on, or before this day. */
type Due = { tenantId: string; from?: string; before?: string }

/** Open requests, the earliest due day first. */
export function selectOpen(
  db: Db,
  { after, limit, ...due }: Due & { after: OpenPosition | undefined; limit: number },
): Promise<RequestRow[]> {
  return requestsOf(db, due.tenantId, 'subject_requests_open')
    .where('r.answered_at', 'is', null)
    .where('r.due_on', '>=', due.from ?? FIRST_DAY)
    .where('r.due_on', '<', due.before ?? LAST_DAY)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(r.due_on, r.id) > (${after?.dueOn ?? ''}, ${after?.id ?? ''})`),
    )
    .orderBy('r.due_on')
    .orderBy('r.id')
    .limit(limit)
    .execute()
}

/** Answered requests, newest first, because ids are ordered by time. */
export function selectAnswered(
  db: Db,
  { tenantId, before, limit }: { tenantId: string; before: string | undefined; limit: number },
): Promise<RequestRow[]> {
  return requestsOf(db, tenantId, 'subject_requests_answered')
    .where('r.answered_at', 'is not', null)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

/** The same requests, as rows to count. */
export function openRows(db: Db, { tenantId, from = FIRST_DAY, before = LAST_DAY }: Due) {
  return db
    .selectFrom(requestTable('subject_requests_open'))
    .select('r.id')
    .where('r.tenant_id', '=', tenantId)
    .where('r.answered_at', 'is', null)
    .where('r.due_on', '>=', from)
    .where('r.due_on', '<', before)
}

export function answeredRows(db: Db, tenantId: string) {
  return db
    .selectFrom(requestTable('subject_requests_answered'))
    .select('r.id')
    .where('r.tenant_id', '=', tenantId)
    .where('r.answered_at', 'is not', null)
}

/** Returns the ids of requests that contain data of a person although they were answered before a time. */
export async function selectFilled(
  db: Db,
  { tenantId, answeredBefore, limit }: { tenantId: string; answeredBefore: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom(requestTable('subject_requests_filled'))
    .select('r.id')
    .where('r.tenant_id', '=', tenantId)
    .where('r.answered_at', 'is not', null)
    .where(sql<boolean>`(r.emptied_at IS NULL OR r.emptied_at < r.answered_at)`)
    .where('r.answered_at', '<', answeredBefore)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the ids of requests that are not about these businesses, and of people with one of these contacts in normalized form. */
export async function selectByContact(
  db: Db,
  {
    tenantId,
    businessIds,
    contacts,
  }: { tenantId: string; businessIds: readonly string[]; contacts: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom(requestTable('subject_requests_by_contact'))
    .select('r.id')
    .where('r.tenant_id', '=', tenantId)
    .where('r.contact_normalized', 'in', inList(contacts))
    .where(({ eb, or }) => or([eb('r.business_id', 'is', null), eb('r.business_id', 'not in', inList(businessIds))]))
    .execute()
  return rows.map(({ id }) => id)
}
