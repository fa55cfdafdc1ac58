import { z } from 'zod'
import {
  type Cursors,
  MAX_COUNTED,
  newestFirst,
  type Page,
  type PageQuery,
  toPage,
  totalOf,
} from '../../../http/pagination.ts'
import { actorRef, type UserActor } from '../../../lib/actor.ts'
import type { Db } from '../../../store/database.ts'
import { countUpTo } from '../../../store/engine/count-up-to.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import {
  familyOf,
  findHiddenRecords,
  getBusiness,
  hidesWordsAbout,
  hidesWrittenFor,
  newestIdFirst,
  reasonForReader,
  throughMerges,
} from '../../businesses/businesses.ts'
import { findHiddenValues, HIDDEN, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { namesOfMembers } from '../../identity/identity.ts'
import { momentOf, selectCitedEvidence } from '../checks/check-input.queries.ts'
import { checkDraft } from '../checks/checks.rules.ts'
import { type Judged, judgeDraft } from '../checks/judge-draft.ts'
import { type DraftContext, readCheckInput, readerOf } from '../checks/read-check-input.ts'
import { causeCodes, SNAPSHOT_RULES, snapshotHashOf } from '../checks/snapshot.rules.ts'
import { contentHashOf, type DraftContent } from '../content/content.rules.ts'
import { labelOf } from '../content/content.schema.ts'
import { contactHoursOfDraft } from '../content/draft-hours.rules.ts'
import { type StoredRecipient, storedContactsOf } from '../content/recipient-gate.ts'
import { countCopiesOf } from '../copies/copies.queries.ts'
import { limits } from '../limits.ts'
import {
  type DraftRow,
  draftsOf,
  findLastApproved,
  getDraftRow,
  getVersionRow,
  type RequestRow,
  readContents,
  selectDrafts,
  selectDraftsByIds,
  selectEvents,
  selectNewEvidence,
  selectRecipients,
  selectVersions,
  selectWaitingRequests,
  selectWrittenBy,
  type VersionRow,
  waitingRequests,
} from './drafts.queries.ts'
import type {
  ApprovalRequest,
  Checked,
  CheckUnsaved,
  Draft,
  DraftSummary,
  DraftVersion,
  ListDrafts,
  ToldCause,
} from './drafts.schema.ts'
import { refusalOf } from './request-approval.ts'
import { requireAssignee } from './save-draft.ts'

const readCauses = jsonColumn(
  z.array(
    z.object({
      code: z.enum(causeCodes),
      subject: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      at: z.string().nullable(),
      by: z.string().nullable(),
    }),
  ),
)

/** One draft as it is judged now, for this reader. Errors: `not_found`. */
export async function getDraft(context: DraftContext, reader: UserActor, id: string): Promise<Draft> {
  const { store } = context
  const db = store.reader
  const { tenantId, userId } = reader
  const at = store.clock().toISOString()
  const judged = await judgeDraft(readerOf(context), { tenantId, id, personId: userId, at })
  const { row, version, content, state, checks, reading } = judged
  const isHidden =
    (await hidesWrittenFor(db, reader, reading.business, [row.business_id]))(row.business_id) ||
    hidesValuesFrom(reader, { doNotContact: reading.input.gate.recipient })
  const isApproved = judged.request?.outcome === 'approved'
  const newest = await selectEvents(db, tenantId, id, limits.historyShown)
  return {
    ...summaryOf(row, isHidden, reading.input.business.isBlocked),
    ...writtenOf(version, content, isHidden),
    textHidden: isHidden,
    rendered: isHidden ? null : reading.rendered,
    state,
    snapshotHash: judged.snapshotHash,
    checks,
    request: state === 'in_review' ? await requestOf(db, judged, reader) : null,
    approval: isApproved ? approvalOf(judged.request, isHidden) : null,
    stale: await staleOf(db, judged),
    newSinceApproval: state === 'approved' ? await newSince(db, judged) : [],
    lastApprovedVersion: await findLastApproved(db, tenantId, id),
    copies: await countCopiesOf(db, tenantId, id),
    contactHours: contactHoursOfDraft(content, reading.input.policy, at),
    caps: {
      recipient: reading.input.caps.recipient,
      person: reading.input.caps.person,
      tenant: reading.input.caps.tenant,
    },
    versions: {
      policy: reading.snapshot.policy,
      snapshotRules: SNAPSHOT_RULES,
      suggestion: reading.snapshot.suggestion?.id ?? null,
      provider: reading.snapshot.suggestion?.provider ?? null,
      assistPolicy: reading.snapshot.suggestion?.policy ?? null,
    },
    history: newest.map((event) => ({
      id: event.id,
      kind: event.kind,
      version: event.version,
      reason: reasonForReader(event.reason, { isHidden }),
      at: event.at,
      by: actorRef(event.actor, event.actor_name),
    })),
  }
}

function summaryOf(row: DraftRow, isHidden: boolean, isBlocked: boolean) {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    updatedAt: row.updated_at,
    title: isHidden ? HIDDEN : row.title,
    business: { id: row.business_id, name: row.business_name, doNotContact: isBlocked },
    assignee: { id: row.assignee_id, name: row.assignee_name ?? '' },
  }
}

function writtenOf(version: VersionRow, content: DraftContent, isHidden: boolean) {
  const hide = (text: string) => (isHidden ? HIDDEN : text)
  const hideAny = (text: string | null) => (text === null ? null : hide(text))
  return {
    jurisdiction: content.jurisdiction,
    channel: content.channel,
    purpose: content.purpose,
    language: content.language,
    recipient: { kind: content.recipient.kind, value: hide(content.recipient.value) },
    subject: hideAny(content.subject),
    text: hide(content.text),
    citations: content.citations.map((citation) => ({ ...citation, quote: hideAny(citation.quote) })),
    noCitationReason: hideAny(content.noCitationReason),
    acknowledgements: content.acknowledgements.map(({ evidenceId, reason }) => ({ evidenceId, reason: hide(reason) })),
    templateId: version.template_id,
    suggestionId: version.suggestion_id,
    label: labelOf(version.suggestion_id),
    contentHash: version.content_hash,
  }
}

async function requestOf(db: Db, judged: Judged, reader: UserActor): Promise<Draft['request']> {
  const { request } = judged
  if (request === undefined) return null
  const refusal = reader.permissions.has('drafts.approve')
    ? ((await refusalOf(db, judged, reader.userId))?.message ?? null)
    : 'Your role does not include approvals.'
  return {
    by: actorRef(request.requested_by, request.requester_name),
    at: request.requested_at,
    endsAt: request.expires_at,
    contentHash: request.content_hash,
    snapshotHash: request.snapshot_hash,
    mayDecide: refusal === null,
    refusal,
  }
}

function approvalOf(request: RequestRow | undefined, isHidden: boolean): Draft['approval'] {
  if (request?.decided_at == null || request.decided_by === null || request.approval_ends_at === null) return null
  return {
    by: actorRef(request.decided_by, request.decider_name),
    at: request.decided_at,
    reason: isHidden ? HIDDEN : (request.reason ?? ''),
    endsAt: request.approval_ends_at,
    contentHash: request.content_hash,
    snapshotHash: request.snapshot_hash,
  }
}

/** The causes that the follower stored, or those of this moment if it has not come so far. */
async function staleOf(db: Db, { row, state, causes, now }: Judged): Promise<Draft['stale']> {
  if (state !== 'needs_review') return null
  const stored =
    row.stale_causes === null ? causes.map((one) => ({ ...one, at: null, by: null })) : readCauses(row.stale_causes)
  const names = await namesOfMembers(
    db,
    row.tenant_id,
    stored.flatMap(({ by }) => by ?? []),
  )
  return {
    since: row.stale_since ?? now,
    causes: stored.map(
      ({ by, ...cause }): ToldCause => ({ ...cause, by: by === null ? null : actorRef(by, names.get(by) ?? null) }),
    ),
  }
}

/** Observations that ended nothing: they are about nothing that the text uses. */
async function newSince(db: Db, { row, request, reading }: Judged): Promise<Draft['newSinceApproval']> {
  if (request?.decided_at == null) return []
  const found = await selectNewEvidence(db, {
    tenantId: row.tenant_id,
    family: reading.family,
    since: request.decided_at,
    limit: limits.newEvidenceShown,
  })
  return found.map(({ id, at }) => ({ evidenceId: id, at }))
}

/** A page of drafts, newest first, with the stored state of each. Errors: `invalid_request` (the cursor), `not_found` (the business). */
export async function listDrafts(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  query: ListDrafts,
): Promise<Page<DraftSummary>> {
  const db = store.reader
  const { tenantId, userId } = reader
  const { businessId, state, mine = false, awaitingMyApproval = false } = query
  if (businessId !== undefined) await getBusiness(db, tenantId, businessId)
  const listed = {
    tenantId,
    state,
    ...(mine ? { assignee: userId } : {}),
    ...(awaitingMyApproval ? { decider: userId } : {}),
  }
  const page = await newestFirst<DraftRow, DraftRow>({
    store,
    tenantId,
    cursors,
    binding: ['drafts', tenantId, businessId ?? '', state ?? '', mine ? userId : '', awaitingMyApproval ? userId : ''],
    query,
    fetch: (before, limit) => {
      const paged = { tenantId, before, limit }
      if (businessId !== undefined)
        return throughMerges(
          db,
          { tenantId, businessId },
          (business) => selectDrafts(db, { ...paged, business }),
          newestIdFirst,
        )
      return selectDrafts(db, { ...listed, ...paged })
    },
    count: (background) =>
      businessId === undefined ? draftsOf(background, listed) : countOfFamily(background, tenantId, businessId),
    toItem: (row) => row,
  })
  return { ...page, items: await summariesOf(store, reader, page.items) }
}

async function countOfFamily(db: Db, tenantId: string, businessId: string): Promise<number> {
  let count = 0
  for (const business of await familyOf(db, tenantId, businessId))
    count += await countUpTo(db, draftsOf(db, { tenantId, business }), MAX_COUNTED)
  return count
}

async function summariesOf(store: Store, reader: UserActor, rows: readonly DraftRow[]): Promise<DraftSummary[]> {
  const summaries: DraftSummary[] = []
  const toSuppressed = await findDraftsToSuppressed(store, reader, rows)
  const businessIds = rows.map(({ business_id: id }) => id)
  const hiddenRecords = await findHiddenRecords(store.reader, reader, businessIds)
  for (const row of rows) {
    const isBlocked = row.business_blocked === 1
    const isHidden = hiddenRecords.has(row.business_id) || toSuppressed.has(row.id)
    summaries.push({
      ...summaryOf(row, isHidden, isBlocked),
      state: row.state,
      jurisdiction: row.jurisdiction,
      channel: row.channel,
      staleSince: row.stale_since,
    })
  }
  return summaries
}

/** Returns the ids of the drafts whose words this reader may not see, because their recipient is suppressed. */
async function findDraftsToSuppressed(
  store: Store,
  reader: UserActor,
  rows: readonly DraftRow[],
): Promise<ReadonlySet<string>> {
  if (!hidesValuesFrom(reader, { doNotContact: true })) return new Set()
  const ids = rows.map(({ id }) => id)
  const recipients = await selectRecipients(store.reader, reader.tenantId, ids)
  const hidden = await findToSuppressed(store, reader, recipients)
  return new Set([...hidden].map(({ draft_id: id }) => id))
}

/** Returns the rows whose recipient this reader may not see, because a live entry matches it. Fails closed, as the gate does. */
async function findToSuppressed<Row extends StoredRecipient>(
  { reader: db, keys }: Store,
  reader: UserActor,
  rows: readonly Row[],
): Promise<ReadonlySet<Row>> {
  const contacts = rows.flatMap((row) => storedContactsOf(row).map((value) => ({ ...value, row })))
  const hidden = await findHiddenValues({ db, keys }, reader, contacts)
  return new Set(contacts.flatMap(({ row }, at) => (hidden.has(at) ? [row] : [])))
}

/** The versions of a draft, the newest first. Errors: `not_found`. */
export async function listVersions(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  { id, query: { limit, cursor } }: { id: string; query: PageQuery },
): Promise<Page<DraftVersion>> {
  const db = store.reader
  const { tenantId } = reader
  const row = await getDraftRow(db, tenantId, id)
  const isHidden = await hidesWordsAbout(db, reader, [row.business_id])
  const binding = ['draft versions', tenantId, id]
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const rows = await selectVersions(db, {
    tenantId,
    draftId: id,
    before: before === undefined ? undefined : Number(before),
    limit: limit + 1,
  })
  const toSuppressed = await findToSuppressed(store, reader, rows)
  const contentOf = await readContents(db, rows)
  const items = new Map<number, DraftVersion>()
  for (const version of rows)
    items.set(version.number, {
      number: version.number,
      ...writtenOf(version, contentOf(version), isHidden || toSuppressed.has(version)),
      createdAt: version.created_at,
      createdBy: actorRef(version.created_by, version.creator_name),
    })
  return toPage({
    rows: [...items.values()],
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, (background) =>
      background
        .selectFrom('draft_versions')
        .select('number')
        .where('tenant_id', '=', tenantId)
        .where('draft_id', '=', id),
    ),
    toItem: (item) => item,
    cursorAfter: ({ number }) => cursors.encode(binding, [number]),
  })
}

/** The checks of a text that is not saved. Stores nothing. Errors: `not_found`, `assignee_not_a_member`. */
export async function checkUnsaved(context: DraftContext, reader: UserActor, input: CheckUnsaved): Promise<Checked> {
  const { tenantId, userId } = reader
  const { store } = context
  const check = readerOf(context)
  const now = await momentOf(check.db, tenantId, store.clock().toISOString())
  const { businessId } = input
  const assigneeId = await senderOf(check.db, reader, input)
  const suggestionId = await originOf(check.db, tenantId, input)
  const content = await unsavedContent(check.db, tenantId, input)
  const subject = { tenantId, personId: userId, businessId, assigneeId, content, suggestionId, now, boundBasis: null }
  const reading = await readCheckInput(check, subject)
  const isHidden = (await hidesWrittenFor(check.db, reader, reading.business, [businessId]))(businessId)
  return {
    rendered: isHidden ? null : reading.rendered,
    checks: checkDraft({ ...reading.input, approval: 'none' }),
    label: labelOf(suggestionId),
    contentHash: contentHashOf(reading.input.content),
    snapshotHash: snapshotHashOf(reading.snapshot),
  }
}

/** The person whose name is sender.name. */
async function senderOf(
  db: Db,
  { tenantId, userId }: UserActor,
  { assigneeId, draftId }: CheckUnsaved,
): Promise<string> {
  const ofDraft = draftId == null ? null : (await getDraftRow(db, tenantId, draftId)).assignee_id
  if (assigneeId == null) return ofDraft ?? userId
  await requireAssignee(db, tenantId, assigneeId)
  return assigneeId
}

/** The suggestion as which the text started: that of the draft to which it would be saved. */
async function originOf(db: Db, tenantId: string, { draftId, suggestionId }: CheckUnsaved): Promise<string | null> {
  if (draftId == null) return suggestionId ?? null
  const { version } = await getDraftRow(db, tenantId, draftId)
  return (await getVersionRow(db, tenantId, draftId, version)).suggestion_id
}

/** Cited observations have the hash that they would have if the text were saved now. */
async function unsavedContent(db: Db, tenantId: string, input: CheckUnsaved): Promise<DraftContent> {
  const ids = input.citations.map(({ evidenceId }) => evidenceId)
  const family = await familyOf(db, tenantId, input.businessId)
  const evidence = await selectCitedEvidence(db, { tenantId, family, ids })
  return {
    jurisdiction: input.jurisdiction,
    channel: input.channel,
    purpose: input.purpose,
    language: input.language,
    recipient: { ...input.recipient, normalized: '' },
    subject: input.subject ?? null,
    text: input.text,
    citations: input.citations.map(({ marker, evidenceId, quote }) => ({
      marker,
      evidenceId,
      evidenceHash: evidence.get(evidenceId)?.hash ?? '',
      quote: quote ?? null,
    })),
    noCitationReason: input.noCitationReason ?? null,
    acknowledgements: input.acknowledgements,
  }
}

/** Requests that wait for a decision, newest first. */
export async function listRequests(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  query: PageQuery,
): Promise<Page<ApprovalRequest>> {
  const db = store.reader
  const { tenantId, userId } = reader
  const page = await newestFirst<RequestRow, RequestRow>({
    store,
    tenantId,
    cursors,
    binding: ['draft requests', tenantId],
    query,
    fetch: (before, limit) => selectWaitingRequests(db, { tenantId, before, limit }),
    count: (background) => waitingRequests(background, tenantId),
    toItem: (row) => row,
  })
  const draftIds = page.items.map(({ draft_id: id }) => id)
  const rows = await selectDraftsByIds(db, tenantId, draftIds)
  const written = await selectWrittenBy(db, tenantId, draftIds, userId)
  const summaries = new Map((await summariesOf(store, reader, rows)).map((one) => [one.id, one]))
  const items: ApprovalRequest[] = []
  for (const request of page.items) {
    const draft = summaries.get(request.draft_id)
    if (draft === undefined) throw new Error('A request without its draft: the foreign key forbids it.')
    const isOwn = request.requested_by === userId || written.has(request.draft_id)
    items.push({
      id: request.id,
      draft,
      version: request.number,
      by: actorRef(request.requested_by, request.requester_name),
      at: request.requested_at,
      endsAt: request.expires_at,
      contentHash: request.content_hash,
      snapshotHash: request.snapshot_hash,
      mayDecide: !isOwn && reader.permissions.has('drafts.approve'),
    })
  }
  return { ...page, items }
}
