import { type SelectQueryBuilder, sql } from 'kysely'
import {
  type Cursors,
  exactTotal,
  MAX_COUNTED,
  MAX_WALKED,
  type Page,
  type Position,
  type Total,
  toPage,
  totalFrom,
  totalOf,
} from '../../http/pagination.ts'
import { actorRef } from '../../lib/actor.ts'
import { slicesOf } from '../../lib/slices.ts'
import { sequenceOfEvent } from '../../store/change/audit-chain.ts'
import { findNewest } from '../../store/change/follow-audit.queries.ts'
import type { Database, Db } from '../../store/database.ts'
import { countWanted } from '../../store/engine/count-up-to.ts'
import { alongIndex, inList, jsonField, unindexed } from '../../store/engine/dialect.ts'
import { prepared } from '../../store/engine/prepared.ts'
import { oneOf } from '../../store/migration.ts'
import type { AuditEventTable } from '../../store/store.table.ts'
import type { Store } from '../../store/store.ts'
import { securityActions } from '../facts.ts'
import {
  type AuditEvent,
  type AuditFilter,
  type ListAuditEvents,
  type ListSecurityEvents,
  readBody,
} from './audit.schema.ts'

type EventRow = AuditEventTable & {
  actor_name: string | null
  subject_name: string | null
  token_name: string | null
  business_name: string | null
  business_blocked: 0 | 1 | null
  redacted_by: string | null
}
type EventQuery = SelectQueryBuilder<Database & { e: AuditEventTable }, 'e', EventRow>

/** Maximum number of events that one query looks up by their sequence. */
const EVENTS_A_PART = 500

type EventIndex = 'audit_events_by_business' | 'audit_events_by_subject_type' | 'audit_events_of_security'

/**
 * Joins the current names of users, tokens and businesses, because the chain stores only ids. `along`: name of an index, if SQLite would choose a worse one.
 */
const withNames = (db: Db, along?: EventIndex) =>
  db
    .selectFrom(sql<AuditEventTable>`audit_events`.as<'e'>(along === undefined ? sql`e` : sql`e ${alongIndex(along)}`))
    .leftJoin('users as u', 'u.id', 'e.actor')
    .leftJoin('users as s', (join) => join.onRef('s.id', '=', 'e.subject_id').on('e.subject_type', '=', 'user'))
    .leftJoin('one_time_links as l', (join) =>
      join
        .onRef('l.tenant_id', '=', 'e.tenant_id')
        .onRef('l.id', '=', 'e.subject_id')
        .on('e.subject_type', '=', 'invitation'),
    )
    .leftJoin('access_tokens as k', (join) =>
      join.onRef('k.tenant_id', '=', 'e.tenant_id').onRef('k.id', '=', 'e.token_id'),
    )
    .leftJoin('access_tokens as n', (join) =>
      join
        .onRef('n.tenant_id', '=', 'e.tenant_id')
        .onRef('n.id', '=', 'e.subject_id')
        .on('e.subject_type', '=', 'token'),
    )
    .leftJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'e.tenant_id').onRef('b.id', '=', 'e.business_id'),
    )
    .leftJoin('audit_redactions as x', (join) =>
      join.onRef('x.tenant_id', '=', 'e.tenant_id').onRef('x.sequence', '=', 'e.sequence'),
    )
    .selectAll('e')
    .select(({ fn }) => [
      'u.name as actor_name',
      fn.coalesce('s.name', 'l.name', 'n.name').as('subject_name'),
      'k.name as token_name',
      'b.name as business_name',
      'b.do_not_contact as business_blocked',
      'x.event_id as redacted_by',
    ])

const eventAtPlace = prepared<{ tenantId: string; id: string; sequence: number }>()((db, param) =>
  withNames(db)
    .where('e.tenant_id', '=', param('tenantId'))
    .where('e.sequence', '=', param('sequence'))
    .where('e.id', '=', param('id')),
)

const countedActivity = prepared<{ tenantId: string; businessId: string }>()((db, param) =>
  db
    .selectFrom((inner) =>
      inner
        .selectFrom('audit_events')
        .select('sequence')
        .where('tenant_id', '=', param('tenantId'))
        .where('business_id', '=', param('businessId'))
        .limit(MAX_COUNTED + 1)
        .as('activity'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count')),
)

export async function findAuditEvent(db: Db, tenantId: string, id: string): Promise<AuditEvent | undefined> {
  const row = await findEventRow(db, tenantId, id)
  return row === undefined ? undefined : toAuditEvent(row)
}

/** Returns the event with all stored columns. Its hash is computed from them. */
export async function findEventRow(db: Db, tenantId: string, id: string): Promise<EventRow | undefined> {
  const [row] = await eventAtPlace(db, { tenantId, id, sequence: sequenceOfEvent(id) })
  return row
}

/** Returns the event that a change has just recorded, read back from the store as proof that it is in the chain. */
export async function readBack(db: Db, tenantId: string, id: string): Promise<AuditEvent> {
  const event = await findAuditEvent(db, tenantId, id)
  if (event === undefined) throw new Error('An audit event that was just recorded cannot be read back.')
  return event
}

/** Returns the number of these events that are in the tenant's chain. Reads them in parts. */
export async function findRecorded(db: Db, tenantId: string, ids: readonly string[]): Promise<number> {
  let found = 0
  for (const part of slicesOf(ids, EVENTS_A_PART)) {
    const wanted = new Set(part)
    const rows = await db
      .selectFrom('audit_events')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('sequence', 'in', inList(part.map(sequenceOfEvent)))
      .execute()
    found += rows.filter(({ id }) => wanted.has(id)).length
  }
  return found
}

/** Returns the sequence of the tenant's newest event, or 0 if there is none. It equals the number of events, because the chain has no gaps. */
export const getNewestSequence: (db: Db, tenantId: string) => Promise<number> = findNewest

type ListOptions = { store: Store; cursors: Cursors; tenantId: string; query: ListAuditEvents; maxWalked?: number }

/**
 * Lists events, newest first. A page without a filter is read by the reader; a page with a filter can take long and is read by the background reader.
 */
export async function listAuditEvents({
  store,
  cursors,
  tenantId,
  query,
  maxWalked = MAX_WALKED,
}: ListOptions): Promise<Page<AuditEvent>> {
  const { limit, cursor, ...filter } = query
  const binding = ['audit-events', tenantId, filter]
  const position = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const rows = isFiltered
    ? await matching(store.backgroundOf(tenantId), tenantId, filter, position, limit + 1)
    : await newest(store.reader, tenantId, position, limit + 1)
  return toPage({
    rows,
    limit,
    toItem: toAuditEvent,
    cursorAfter: ({ at, sequence }) => cursors.encode(binding, [at, sequence]),
    total: isFiltered
      ? await countedTotal(store, tenantId, filter, { rows, limit, cursor }, maxWalked)
      : exactTotal(await getNewestSequence(store.reader, tenantId), store.clock().toISOString()),
  })
}

/** Events of one part of `readAuditEvents`. */
const READ_AT_ONCE = 500

/** Yields the matching events in parts, newest first, through the background reader. Events that are recorded meanwhile are not among them. */
export async function* readAuditEvents(
  store: Store,
  tenantId: string,
  filter: AuditFilter,
): AsyncGenerator<AuditEvent[]> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  let position: Position | undefined
  for (;;) {
    const db = store.backgroundOf(tenantId)
    const rows = isFiltered
      ? await matching(db, tenantId, filter, position, READ_AT_ONCE)
      : await newest(db, tenantId, position, READ_AT_ONCE)
    if (rows.length > 0) yield rows.map(toAuditEvent)
    const last = rows.at(-1)
    if (last === undefined || rows.length < READ_AT_ONCE) return
    position = [last.at, last.sequence]
  }
}

/** The condition of the index `audit_events_of_security`, with the same text: SQLite uses a partial index only for its own condition. */
const isSecurityEvent = sql.raw<boolean>(oneOf('e.action', Object.keys(securityActions).toSorted()))

type ListSecurityOptions = { store: Store; cursors: Cursors; tenantId: string; query: ListSecurityEvents }

/** Lists security events, newest first. They are few among all events, so they have their own index. The background reader reads them. */
export async function listSecurityEvents(options: ListSecurityOptions): Promise<Page<AuditEvent>> {
  const { store, cursors, tenantId, query } = options
  const { limit, cursor, ...filter } = query
  const { user, action, from, to } = filter
  const binding = ['security-events', tenantId, filter]
  const position = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const events = withNames(store.backgroundOf(tenantId), 'audit_events_of_security')
    .where(isSecurityEvent)
    .$if(user !== undefined, (found) =>
      found.where(({ or, eb }) => or([eb('e.actor', '=', user ?? ''), eb('e.subject_id', '=', user ?? '')])),
    )
    .$if(action !== undefined, (found) => found.where('e.action', '=', action ?? ''))
    .$if(from !== undefined, (found) => found.where('e.at', '>=', from ?? ''))
    .$if(to !== undefined, (found) => found.where('e.at', '<', to ?? ''))
  const rows = await inOrderOfSequence(events, tenantId, position, limit + 1)
  return toPage({
    rows,
    limit,
    toItem: toAuditEvent,
    cursorAfter: ({ at, sequence }) => cursors.encode(binding, [at, sequence]),
    total: await totalOf(store, { tenantId, rows, limit, cursor }, () => events.where('e.tenant_id', '=', tenantId)),
  })
}

export type ListActivity = {
  store: Store
  cursors: Cursors
  tenantId: string
  businessId: string
  /** ids of the business and of all records merged into it, whose events are part of the activity */
  family: readonly string[]
  limit: number
  cursor: string | undefined
}

/**
 * Lists events of one business and its children, newest first. The caller must check that the business exists; for a business of another tenant the
 * page is empty.
 */
export async function listActivity(options: ListActivity): Promise<Page<AuditEvent>> {
  const { store, cursors, tenantId, businessId, family, limit, cursor } = options
  const binding = ['activity', tenantId, businessId]
  const position = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const rows: EventRow[] = []
  let count = 0
  for (const id of family) {
    const events = withNames(store.reader).where('e.business_id', '=', id)
    rows.push(...(await inOrderOfSequence(events, tenantId, position, limit + 1)))
    const [counted] = await countedActivity(store.reader, { tenantId, businessId: id })
    count += counted?.count ?? 0
  }
  return toPage({
    rows: family.length === 1 ? rows : rows.sort((one, other) => other.sequence - one.sequence),
    limit,
    toItem: toAuditEvent,
    cursorAfter: ({ at, sequence }) => cursors.encode(binding, [at, sequence]),
    total: totalFrom(count, store.clock().toISOString()),
  })
}

function newest(db: Db, tenantId: string, position: Position | undefined, limit: number): Promise<EventRow[]> {
  return inOrderOfSequence(withNames(db), tenantId, position, limit)
}

function inOrderOfSequence(
  query: EventQuery,
  tenantId: string,
  position: Position | undefined,
  limit: number,
): Promise<EventRow[]> {
  return query
    .where('e.tenant_id', '=', tenantId)
    .$if(position !== undefined, (from) => from.where('e.sequence', '<', Number(position?.[1])))
    .orderBy('e.sequence', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Selects events in the order of time and then of sequence. The indexes of actor, action, kind of subject and time have the same order, so that a
 * time range narrows each of them. After the clock was set back, events sort by their recorded time. The index of kinds is named, because SQLite
 * would otherwise read all events of an actor. It omits events about businesses, which are most events.
 */
function matching(
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  position: Position | undefined,
  limit: number,
): Promise<EventRow[]> {
  return matchingEvents(db, tenantId, filter)
    .$if(position !== undefined, (query) =>
      query.where(sql<boolean>`(e.at, e.sequence) < (${position?.[0]}, ${position?.[1]})`),
    )
    .orderBy(isAboutOne(filter) ? unindexed(sql.ref('e.at')) : sql.ref('e.at'), 'desc')
    .orderBy('e.sequence', 'desc')
    .limit(limit)
    .execute()
}

function matchingEvents(db: Db, tenantId: string, filter: AuditFilter) {
  const { actor, action, subjectType, subjectId, businessId, field, from, to } = filter
  return withNames(db, indexOf(filter))
    .where('e.tenant_id', '=', tenantId)
    .$if(isAlongKind(filter), (query) => query.where(sql<boolean>`e.subject_type <> 'business'`))
    .$if(actor !== undefined, (query) => query.where('e.actor', '=', actor ?? ''))
    .$if(action !== undefined, (query) => query.where('e.action', '=', action ?? ''))
    .$if(subjectType !== undefined, (query) => query.where('e.subject_type', '=', subjectType ?? ''))
    .$if(subjectId !== undefined, (query) => query.where(isAbout(tenantId, subjectId ?? '')))
    .$if(businessId !== undefined, (query) => query.where('e.business_id', '=', businessId ?? ''))
    .$if(field !== undefined, (query) => query.where(hasField(field ?? '')))
    .$if(from !== undefined, (query) => query.where('e.at', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('e.at', '<', to ?? ''))
}

function indexOf(filter: AuditFilter): EventIndex | undefined {
  if (filter.subjectId !== undefined) return undefined
  if (filter.businessId !== undefined) return 'audit_events_by_business'
  return isAlongKind(filter) ? 'audit_events_by_subject_type' : undefined
}

/** True for events about one record, or of one business and its records: these are few, so their order is sorted. */
const isAboutOne = ({ subjectId, businessId }: AuditFilter): boolean => (subjectId ?? businessId) !== undefined

/** True for events of a kind that is not that of businesses. Their index has the columns of the other filters too. */
const isAlongKind = (filter: AuditFilter): boolean =>
  filter.subjectType !== undefined && filter.subjectType !== 'business' && !isAboutOne(filter)

/** Returns the condition that an event has a value of this field, before or after. */
const hasField = (field: string) =>
  sql<boolean>`(${jsonField(sql.ref('e.before_json'), field)} IS NOT NULL OR ${jsonField(sql.ref('e.after_json'), field)} IS NOT NULL)`

/**
 * Returns the total of a filtered list. If one index has all conditions, the count reads it only. Otherwise it reads `maxWalked` events of one condition,
 * and the total is unknown if there are more events.
 */
async function countedTotal(
  store: Store,
  tenantId: string,
  filter: AuditFilter,
  page: { rows: readonly EventRow[]; limit: number; cursor: string | undefined },
  maxWalked: number,
): Promise<Total | null> {
  const { actor, action, subjectType, from, to } = filter
  const named = [actor, action, subjectType].filter((value) => value !== undefined)
  if (isAlongKind(filter) || isAboutOne(filter) || (named.length < 2 && subjectType === undefined))
    return totalOf(store, { tenantId, ...page }, (db) => matchingEvents(db, tenantId, filter))
  const [index, walked] =
    action !== undefined
      ? ['audit_events_by_action', sql`AND e.action = ${action}`]
      : actor !== undefined
        ? ['audit_events_by_actor', sql`AND e.actor = ${actor}`]
        : ['audit_events_by_time', sql``]
  const conditions = [
    ...(actor === undefined ? [] : [sql`e.actor = ${actor}`]),
    ...(subjectType === undefined ? [] : [sql`e.subject_type = ${subjectType}`]),
  ]
  const walkedEvents = sql`(
    SELECT ${sql.join(conditions, sql` AND `)} AS is_wanted FROM audit_events AS e ${alongIndex(index)}
    WHERE e.tenant_id = ${tenantId} ${walked}
      ${from === undefined ? sql`` : sql`AND e.at >= ${from}`} ${to === undefined ? sql`` : sql`AND e.at < ${to}`})`
  return totalOf(store, { tenantId, ...page }, (db) => countWanted(db, walkedEvents, { limit: MAX_COUNTED, maxWalked }))
}

/** Returns the hash of the event with this sequence; undefined if there is none. */
export async function findHash(db: Db, tenantId: string, sequence: number): Promise<string | undefined> {
  const event = await db
    .selectFrom('audit_events')
    .select('hash')
    .where('tenant_id', '=', tenantId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return event?.hash
}

/**
 * Returns the condition that an event is about this subject. Events about a business are found by `business_id`, because the index of subjects
 * contains only the others. A subject has few events, so `matching` hides the time from the indexes. Otherwise SQLite would read the whole tenant in
 * the order of time to avoid sorting.
 */
function isAbout(tenantId: string, subjectId: string) {
  return sql<boolean>`e.sequence IN (
    SELECT sequence FROM audit_events
    WHERE tenant_id = ${tenantId} AND subject_id = ${subjectId} AND subject_id IS NOT business_id
    UNION ALL
    SELECT sequence FROM audit_events
    WHERE tenant_id = ${tenantId} AND business_id = ${subjectId} AND subject_id = ${subjectId})`
}

function toAuditEvent(row: EventRow): AuditEvent {
  return {
    id: row.id,
    sequence: row.sequence,
    at: row.at,
    actor: actorRef(row.actor, row.actor_name),
    token: row.token_id === null ? null : { id: row.token_id, name: row.token_name ?? row.token_id },
    action: row.action,
    subject: { type: row.subject_type, id: row.subject_id, name: row.subject_name },
    businessId: row.business_id,
    businessName: row.business_name,
    businessDoNotContact: row.business_blocked === null ? null : row.business_blocked === 1,
    before: row.before_json === null ? null : readBody(row.before_json),
    after: row.after_json === null ? null : readBody(row.after_json),
    reason: row.reason,
    erased: row.redacted_by !== null,
    correlationId: row.correlation_id,
    hash: row.hash,
    previousHash: row.previous_hash,
  }
}
