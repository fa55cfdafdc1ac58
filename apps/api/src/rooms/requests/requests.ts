/**
 * Public module of the room of subject requests: requests of people about the data that the workspace has about them. The due day, the extension and
 * the answer of each are recorded; the acts themselves, such as a block or an erasure, are those of other rooms.
 */

import { requireVersion } from '../../http/conditional.ts'
import { type Cursors, newestFirst, type Page, toPage, totalOf } from '../../http/pagination.ts'
import { actorKey, actorRef } from '../../lib/actor.ts'
import { AppError, invalidField, namedIn } from '../../lib/app-error.ts'
import { dayAt } from '../../lib/calendar.ts'
import { isInFuture } from '../../lib/clock.ts'
import type { AuditAction } from '../../lib/declared.ts'
import { newId } from '../../lib/ids.ts'
import { unique } from '../../lib/unique.ts'
import type { Tx } from '../../store/change/change.ts'
import { requireRoom } from '../../store/change/quota.ts'
import type { Db } from '../../store/database.ts'
import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Store } from '../../store/store.ts'
import { type ActRow, findActsAbout, findActsOf, selectActs } from '../audit/audit.ts'
import { getBusiness, wholeFamilyOf } from '../businesses/businesses.ts'
import { gate } from '../contact-gate/contact-gate.ts'
import { auditActions } from '../facts.ts'
import { getTenant } from '../identity/identity.ts'
import { normalizeIdentifier } from '../normalization/normalization.ts'
import {
  answeredRows,
  getRequestRow,
  insertRequest,
  openRows,
  type RequestRow,
  selectAnswered,
  selectOpen,
  updateRequest,
} from './requests.queries.ts'
import { subjectRequestQuota } from './requests.quota.ts'
import {
  type Act,
  type AddRequest,
  type AnswerRequest,
  type EditRequest,
  type ExtendRequest,
  type ListedRequest,
  type ListRequests,
  limits,
  readActs,
  type SubjectRequest,
} from './requests.schema.ts'
import type { SubjectRequestTable } from './requests.table.ts'

/** Actions that can carry a request out. An answer names events with these actions. */
const actActions: readonly AuditAction[] = [
  'business.edit',
  'business.block',
  'business.deactivate',
  'business.erase',
  'evidence.add',
  'holding.download',
  'interaction.add',
  'legal_basis.withdraw',
  'person.block',
  'person.edit',
  'person.erase',
  'suppression.add',
  'suppression.request_again',
]

/** Enters a request. Errors: `invalid_request`, `not_found` (the prospect), `rate_limited`. */
export async function addRequest(tx: Tx, input: AddRequest): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { kind, receivedAt, requester, identityCheck, businessId } = input
  if (isInFuture(receivedAt, tx.at)) throw invalidField('receivedAt', 'in_future', 'This time is in the future.')
  if (businessId !== null) await requireProspect(tx, businessId)
  await requireRoom(tx, subjectRequestQuota)
  const { timeZone, country } = await getTenant(tx.db, tenantId)
  const dueOn = dayAt(receivedAt, timeZone).add({ days: limits.days }).toString()
  const id = newId()
  await insertRequest(tx.db, {
    tenant_id: tenantId,
    id,
    version: 1,
    kind,
    received_at: receivedAt,
    first_due_on: dueOn,
    due_on: dueOn,
    ...requesterColumns(requester, country),
    identity_check: identityCheck,
    business_id: businessId,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    extended_at: null,
    extended_by: null,
    extension_reason: null,
    answered_at: null,
    answered_by: null,
    outcome: null,
    answer: null,
    acts: '[]',
    emptied_at: null,
  })
  await record(tx, { id, business_id: businessId }, { kind, receivedAt, dueOn })
  return { id }
}

/**
 * Changes the person, the check of the identity, or the prospect of an open request. Errors: `not_found`, `version_conflict`,
 * `subject_request_answered`, `conflict` (an erasure emptied it).
 */
export async function editRequest(tx: Tx, id: string, version: number, edit: EditRequest): Promise<{ id: string }> {
  const row = await getOpen(tx, id)
  requireVersion(version, row.version)
  if (row.emptied_at !== null)
    throw new AppError(
      'conflict',
      'An erasure deleted the personal data of this request, so it cannot be edited. You can still answer it.',
    )
  const { requester, identityCheck, businessId } = edit
  if (businessId != null && businessId !== row.business_id) await requireProspect(tx, businessId)
  const set = {
    ...(requester === undefined
      ? {}
      : requesterColumns(requester, (await getTenant(tx.db, tx.actor.tenantId)).country)),
    ...(identityCheck === undefined ? {} : { identity_check: identityCheck }),
    ...(businessId === undefined ? {} : { business_id: businessId }),
  }
  await updateRequest(tx.db, row, { ...set, version: row.version + 1 })
  const changed = Object.entries(edit).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  await record(tx, { ...row, ...set }, { changed })
  return { id }
}

/** Moves the due day of an open request, once. Errors: `not_found`, `subject_request_answered`, `subject_request_extended`, `invalid_request`. */
export async function extendRequest(tx: Tx, id: string, { dueOn, reason }: ExtendRequest): Promise<{ id: string }> {
  const row = await getOpen(tx, id)
  if (row.extended_at !== null)
    throw new AppError(
      'subject_request_extended',
      'A request can be extended only once, and this one was. Answer it by its due day.',
    )
  const latest = Temporal.PlainDate.from(row.due_on).add({ days: limits.extensionDays }).toString()
  if (dueOn <= row.due_on) throw invalidField('dueOn', 'too_early', `Choose a day after ${row.due_on}.`)
  if (dueOn > latest) throw invalidField('dueOn', 'too_late', `Choose ${latest} or an earlier day.`)
  await updateRequest(tx.db, row, {
    due_on: dueOn,
    extended_at: tx.at,
    extended_by: actorKey(tx.actor),
    extension_reason: reason,
    version: row.version + 1,
  })
  await tx.record({ ...subjectOf(row), before: { dueOn: row.due_on }, after: { dueOn } })
  return { id }
}

/** Records how a request was answered, and by which acts. Errors: `not_found`, `subject_request_answered`, `invalid_request` (an act). */
export async function answerRequest(
  tx: Tx,
  id: string,
  { outcome, how, acts }: AnswerRequest,
): Promise<{ id: string }> {
  const row = await getOpen(tx, id)
  await requireActs(tx, row, acts)
  await updateRequest(tx.db, row, {
    answered_at: tx.at,
    answered_by: actorKey(tx.actor),
    outcome,
    answer: how,
    acts: JSON.stringify(acts),
    version: row.version + 1,
  })
  await record(tx, row, { outcome, acts })
  return { id }
}

/**
 * Throws unless each id is of an event that can carry the request out: of the prospect of the request, or of no prospect, such as an entry of the
 * do-not-contact list.
 */
async function requireActs(tx: Tx, row: SubjectRequestTable, ids: readonly string[]): Promise<void> {
  const { tenantId } = tx.actor
  const found = new Map((await selectActs(tx.db, tenantId, ids)).map((act) => [act.id, act]))
  const family = row.business_id === null ? [] : await wholeFamilyOf(tx.db, tenantId, row.business_id)
  for (const [index, id] of ids.entries()) {
    const act = found.get(id)
    const isOfRequest = act !== undefined && (act.business_id === null || family.includes(act.business_id))
    if (!isOfRequest || !actActions.some((action) => action === act.action))
      throw invalidField(
        `acts.${index}`,
        'no_act',
        'This step is not about this request, so the answer cannot name it.',
      )
  }
}

async function getOpen(tx: Tx, id: string): Promise<RequestRow> {
  const row = await getRequestRow(tx.db, tx.actor.tenantId, id)
  if (row.answered_at !== null)
    throw new AppError('subject_request_answered', 'This request is already answered, so it cannot be changed.')
  return row
}

async function requireProspect(tx: Tx, businessId: string): Promise<void> {
  const lookup = getBusiness(tx.db, tx.actor.tenantId, businessId)
  const { erasedAt } = await namedIn('businessId', 'This prospect does not exist.', lookup)
  if (erasedAt !== null)
    throw invalidField('businessId', 'erased', 'This prospect was erased. Enter the request without it.')
}

function requesterColumns({ name, contact }: AddRequest['requester'], country: string) {
  return { requester_name: name, requester_contact: contact, ...normalizedContact(contact, country) }
}

/**
 * Returns the normalized contact, by which an erasure and a collection of a value find the request. A local number is read as one of the country of the
 * workspace. A postal address has no normalized form.
 */
function normalizedContact(
  contact: string | null,
  country: string,
): Pick<SubjectRequestTable, 'contact_kind' | 'contact_normalized'> {
  for (const kind of ['email', 'phone'] as const) {
    const region = kind === 'phone' ? country : null
    const normalized = contact === null ? null : normalizeIdentifier(kind, contact, region).normalized
    if (normalized !== null) return { contact_kind: kind, contact_normalized: normalized }
  }
  return { contact_kind: null, contact_normalized: null }
}

/** Records an event. It contains no text about the person, because the audit is never deleted. */
function record(tx: Tx, row: Pick<SubjectRequestTable, 'id' | 'business_id'>, after: Record<string, unknown>) {
  return tx.record({ ...subjectOf(row), after })
}

function subjectOf({ id, business_id }: Pick<SubjectRequestTable, 'id' | 'business_id'>) {
  return {
    subject: { type: 'subject_request', id },
    ...(business_id === null ? {} : { businessId: business_id }),
  } as const
}

async function todayOf(db: Db, tenantId: string, now: string): Promise<string> {
  return dayAt(now, (await getTenant(db, tenantId)).timeZone).toString()
}

/** Returns a request with its acts. Errors: `not_found`. */
export async function getRequest(store: Store, tenantId: string, id: string): Promise<SubjectRequest> {
  const db = store.reader
  const row = await getRequestRow(db, tenantId, id)
  const today = await todayOf(db, tenantId, store.clock().toISOString())
  const acts = await selectActs(db, tenantId, readActs(row.acts))
  const found = row.answered_at === null ? await findActsFor(store, row) : []
  return { ...toListed(row, today), acts: acts.map(toAct), foundActs: found.map(toAct) }
}

/** Returns the newest acts on the prospect of a request, and on entries of the do-not-contact list that block the contact of the person. */
async function findActsFor(store: Store, row: RequestRow): Promise<ActRow[]> {
  const { tenant_id: tenantId, business_id: businessId, contact_kind: kind, contact_normalized: value } = row
  const db = store.backgroundOf(tenantId)
  const wanted = { tenantId, actions: actActions, since: row.received_at, limit: limits.foundActs }
  const businessIds = businessId === null ? [] : await wholeFamilyOf(store.reader, tenantId, businessId)
  const entries =
    kind === null || value === null ? [] : await gate({ db, keys: store.keys }, tenantId, [{ kind, value }])
  const subjectIds = unique(entries.map(({ suppressionId }) => suppressionId))
  const found = [
    ...(await findActsOf(db, { ...wanted, businessIds })),
    ...(await findActsAbout(db, { ...wanted, subjectIds })),
  ].filter(({ business_id: of }) => of === null || businessIds.includes(of))
  const once = new Map(found.map((act) => [act.id, act]))
  return [...once.values()].toSorted((a, b) => b.sequence - a.sequence).slice(0, limits.foundActs)
}

export async function listRequests(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  { state, ...query }: ListRequests,
): Promise<Page<ListedRequest>> {
  const db = store.reader
  const today = await todayOf(db, tenantId, store.clock().toISOString())
  const binding = ['subject-requests', tenantId, state]
  const toItem = (row: RequestRow) => toListed(row, today)
  if (state === 'answered')
    return newestFirst({
      ...{ store, tenantId, cursors, binding, query, toItem },
      fetch: (before, limit) => selectAnswered(db, { tenantId, before, limit }),
      count: (counted) => answeredRows(counted, tenantId),
    })
  const { limit, cursor } = query
  const due = {
    tenantId,
    ...(state === 'overdue' ? { before: today } : {}),
    ...(state === 'upcoming' ? { from: today } : {}),
  }
  const [dueOn, id] = cursor === undefined ? [] : cursors.decode(binding, cursor).map(String)
  const after = dueOn === undefined || id === undefined ? undefined : { dueOn, id }
  const rows = await selectOpen(db, { ...due, after, limit: limit + 1 })
  const total = await totalOf(store, { tenantId, rows, limit, cursor }, (counted) => openRows(counted, due))
  return toPage({ rows, limit, total, toItem, cursorAfter: (row) => cursors.encode(binding, [row.due_on, row.id]) })
}

function toListed(row: RequestRow, today: string): ListedRequest {
  const isOpen = row.answered_at === null
  return {
    id: row.id,
    version: row.version,
    kind: row.kind,
    receivedAt: row.received_at,
    dueOn: row.due_on,
    status: isOpen ? (row.due_on < today ? 'overdue' : 'open') : 'answered',
    requester: { name: row.requester_name, contact: row.requester_contact, contactKind: row.contact_kind },
    identityCheck: row.identity_check,
    business:
      row.business_id === null
        ? null
        : { id: row.business_id, name: row.business_name ?? '', isErased: row.is_business_erased === 1 },
    extension:
      row.extended_at === null
        ? null
        : {
            at: row.extended_at,
            by: actorRef(row.extended_by ?? '', row.extender_name),
            from: row.first_due_on,
            reason: row.extension_reason,
          },
    answer:
      row.answered_at === null || row.outcome === null
        ? null
        : {
            at: row.answered_at,
            by: actorRef(row.answered_by ?? '', row.answerer_name),
            outcome: row.outcome,
            how: row.answer,
          },
    emptiedAt: row.emptied_at,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
  }
}

function toAct({ id, at, actor, actor_name, action }: ActRow): Act {
  const labels: Readonly<Record<string, string>> = auditActions
  return { eventId: id, at, actor: actorRef(actor, actor_name), action, label: labels[action] ?? action }
}

/** Counts the open requests that were due before today in the time zone of the workspace, at most `bound` + 1. */
export async function countOverdue(
  db: Db,
  { tenantId, now, bound }: { tenantId: string; now: string; bound: number },
): Promise<number> {
  const before = await todayOf(db, tenantId, now)
  return countUpTo(db, openRows(db, { tenantId, before }), bound)
}

/** Counts the open requests that are due today or later, at most `bound` + 1. */
export async function countUpcoming(
  db: Db,
  { tenantId, now, bound }: { tenantId: string; now: string; bound: number },
): Promise<number> {
  const from = await todayOf(db, tenantId, now)
  return countUpTo(db, openRows(db, { tenantId, from }), bound)
}
