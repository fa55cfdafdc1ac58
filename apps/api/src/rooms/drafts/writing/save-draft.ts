import { requireVersion } from '../../../http/conditional.ts'
import { actorKey, type UserActor } from '../../../lib/actor.ts'
import { AppError, namedIn, namesNothing } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { requireRoomIn } from '../../../lib/limit-reached.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { beginFollowing } from '../../../store/change/follow-audit.queries.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import { currentSuggestion } from '../../assist/assist.ts'
import { type Business, familyOf, getActiveBusiness } from '../../businesses/businesses.ts'
import { isMember } from '../../identity/identity.ts'
import { selectCitedEvidence } from '../checks/check-input.queries.ts'
import { contentHashOf, type DraftContent, findRecipient } from '../content/content.rules.ts'
import type { WrittenContent } from '../content/content.schema.ts'
import { requireRecipient } from '../content/recipient-gate.ts'
import { draftQuota, draftVersionLimit, openDraftLimit } from '../drafts.quota.ts'
import { getTemplate, requireKnownFields } from '../templates/templates.ts'
import {
  countOpenDrafts,
  type DraftRow,
  endRequest,
  followerName,
  getDraftRow,
  getVersionRow,
  insertDraft,
  insertVersion,
  readContent,
  updateDraft,
} from './drafts.queries.ts'
import type { CreateDraft, SaveDraft } from './drafts.schema.ts'
import { writeEvent } from './write-event.ts'

/*
 * Writing (specification, Phase 14 §1 and §2). Every save is a whole version that never changes; its number is the version of the record. A
 * save ends a request and an approval. Nothing here reaches a recipient.
 */

/**
 * Inserts a draft with its first version. Returns the id alone, because the response of a change is stored for replays. Errors: `not_found`,
 * `business_not_active`, `too_many_drafts`, `unknown_field`, `assignee_not_a_member`, `suggestion_not_approved`, `suppressed` (the recipient).
 */
export async function createDraft(
  { tx, actor, adapters }: { tx: Tx; actor: UserActor; adapters: LoadedAdapters },
  input: CreateDraft,
): Promise<{ id: string }> {
  const { tenantId } = actor
  const { businessId, title, assigneeId } = input
  const business = await getBusinessOf(tx, businessId)
  const assignee = assigneeId ?? actor.userId
  await requireAssignee(tx.db, tenantId, assignee)
  const used = await countOpenDrafts(tx.db, tenantId, businessId)
  requireRoomIn(openDraftLimit, { used, code: 'too_many_drafts' })
  await requireRoom(tx, draftQuota)
  const content = await readWritten(tx, business, input)
  const suggestionId = input.suggestionId ?? null
  if (suggestionId !== null) await requireSuggestion(tx, adapters, { suggestionId, businessId })
  const id = newId()
  await insertDraft(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    title,
    assignee_id: assignee,
    state: 'writing',
    is_open: 1,
    version: 1,
    jurisdiction: content.jurisdiction,
    channel: content.channel,
    request_id: null,
    stale_since: null,
    stale_causes: null,
    due_at: null,
    created_at: tx.at,
    created_by: actorKey(actor),
    updated_at: tx.at,
  })
  const written = await writeVersion(
    tx,
    { draftId: id, businessId, number: 1, templateId: input.templateId ?? null, suggestionId },
    content,
  )
  await writeEvent(tx, { tenant_id: tenantId, id }, { kind: 'created', version: 1 })
  await beginFollowing(tx.db, { tenantId, follower: followerName })
  const { channel, purpose, jurisdiction } = content
  const after = { version: 1, channel, purpose, jurisdiction, assigneeId: assignee, suggestionId, ...written }
  await tx.record({ subject: { type: 'draft', id }, businessId, after })
  return { id }
}

function getBusinessOf(tx: Tx, businessId: string): Promise<Business> {
  return namedIn('businessId', 'This prospect does not exist.', getActiveBusiness(tx, businessId))
}

/** Errors: `assignee_not_a_member`. */
export async function requireAssignee(db: Tx['db'], tenantId: string, assigneeId: string): Promise<void> {
  if (await isMember(db, tenantId, assigneeId)) return
  const message = 'This person is not an active member of the workspace.'
  throw new AppError('assignee_not_a_member', message, {
    errors: [{ path: 'assigneeId', code: 'assignee_not_a_member', message }],
  })
}

/**
 * Returns the content for storage: every named id exists, each citation has the hash of its observation, and the recipient is not suppressed. A save
 * stores the recipient again, so it is asked about each time.
 */
async function readWritten(tx: Tx, business: Business, input: WrittenContent): Promise<DraftContent> {
  const { tenantId } = tx.actor
  requireKnownFields('subject', input.subject ?? '')
  requireKnownFields('text', input.text)
  if (input.templateId != null) await requireTemplate(tx, input.templateId)
  const family = await familyOf(tx.db, tenantId, business.id)
  const ids = [...input.citations, ...input.acknowledgements].map(({ evidenceId }) => evidenceId)
  const evidence = await selectCitedEvidence(tx.db, { tenantId, family, ids })
  const hashOf = (path: string, id: string) => {
    const one = evidence.get(id)
    if (one === undefined) throw namesNothing(path, 'This prospect has no such evidence.')
    return one.hash
  }
  input.acknowledgements.forEach(({ evidenceId }, at) => {
    hashOf(`acknowledgements.${at}.evidenceId`, evidenceId)
  })
  const { isOnRecord: _isOnRecord, ...recipient } = findRecipient(business, input.recipient)
  await requireRecipient(tx, business.id, recipient)
  return {
    jurisdiction: input.jurisdiction,
    channel: input.channel,
    purpose: input.purpose,
    language: input.language,
    recipient,
    subject: input.subject ?? null,
    text: input.text,
    citations: input.citations.map(({ marker, evidenceId, quote }, at) => ({
      marker,
      evidenceId,
      evidenceHash: hashOf(`citations.${at}.evidenceId`, evidenceId),
      quote: quote ?? null,
    })),
    noCitationReason: input.noCitationReason ?? null,
    acknowledgements: input.acknowledgements,
  }
}

async function requireTemplate(tx: Tx, templateId: string): Promise<void> {
  const template = getTemplate(tx.db, tx.actor.tenantId, templateId)
  await namedIn('templateId', 'This template does not exist.', template)
}

/** A text starts only as a suggestion about its prospect that is approved and current. Errors: `not_found`, `suggestion_not_approved`. */
async function requireSuggestion(
  { db, actor: { tenantId }, at }: Tx,
  adapters: LoadedAdapters,
  { suggestionId, businessId }: { suggestionId: string; businessId: string },
): Promise<void> {
  const found = await currentSuggestion(db, tenantId, suggestionId, { at, adapters })
  const family = await familyOf(db, tenantId, businessId)
  if (found === undefined || !family.includes(found.businessId))
    throw namesNothing('suggestionId', 'This prospect has no such suggestion.')
  if (found.state === 'approved') return
  const message = 'This suggestion is not approved, or its evidence changed. Choose a current suggestion.'
  throw new AppError('suggestion_not_approved', message, {
    errors: [{ path: 'suggestionId', code: found.state, message }],
  })
}

/** Inserts a version and returns its sizes and hash for the audit, without the text. */
async function writeVersion(
  tx: Tx,
  place: {
    draftId: string
    businessId: string
    number: number
    templateId: string | null
    suggestionId: string | null
  },
  content: DraftContent,
) {
  const { tenantId } = tx.actor
  const { draftId, businessId, number, templateId, suggestionId } = place
  const { citations, acknowledgements, recipient, noCitationReason, ...written } = content
  const contentHash = contentHashOf(content)
  await insertVersion(
    tx.db,
    {
      tenant_id: tenantId,
      id: newId(),
      draft_id: draftId,
      business_id: businessId,
      number,
      ...written,
      recipient_kind: recipient.kind,
      recipient_value: recipient.value,
      recipient_normalized: recipient.normalized,
      no_citation_reason: noCitationReason,
      acknowledgements: JSON.stringify(acknowledgements),
      suggestion_id: suggestionId,
      template_id: templateId,
      content_hash: contentHash,
      created_at: tx.at,
      created_by: actorKey(tx.actor),
    },
    citations.map(({ marker, evidenceId, evidenceHash, quote }) => ({
      tenant_id: tenantId,
      draft_id: draftId,
      number,
      marker,
      evidence_id: evidenceId,
      evidence_hash: evidenceHash,
      quote,
    })),
  )
  return { contentHash, characters: written.text.length, citations: citations.length }
}

/**
 * Saves a draft on the version that was seen. Identical content makes no version and ends no approval. Errors: `not_found`,
 * `draft_not_open` (closed), `version_conflict`, `business_not_active`, `unknown_field`, `assignee_not_a_member`, `suppressed` (the recipient),
 * `conflict` (too many versions).
 */
export async function saveDraft(
  tx: Tx,
  { id, version, input }: { id: string; version: number; input: SaveDraft },
): Promise<{ id: string; version: number } | Unchanged<{ id: string; version: number }>> {
  const { tenantId } = tx.actor
  const row = await getOpenDraft(tx, id)
  requireVersion(version, row.version)
  const business = await getActiveBusiness(tx, row.business_id)
  const { title = row.title, assigneeId = row.assignee_id } = input
  if (assigneeId !== row.assignee_id) await requireAssignee(tx.db, tenantId, assigneeId)
  const before = await getVersionRow(tx.db, tenantId, id, row.version)
  const templateId = input.templateId === undefined ? before.template_id : input.templateId
  const content = await readWritten(tx, business, mergedWith(await readContent(tx.db, before), input))
  const isSameContent = contentHashOf(content) === before.content_hash
  if (isSameContent && title === row.title && assigneeId === row.assignee_id) return unchanged({ id, version })
  const columns = { title, assignee_id: assigneeId, updated_at: tx.at }
  if (isSameContent) {
    await updateDraft(tx.db, row, columns)
    await tx.record({ subject: { type: 'draft', id }, businessId: row.business_id, after: { version, assigneeId } })
    return { id, version }
  }
  const number = row.version + 1
  requireRoomIn(draftVersionLimit, { used: row.version })
  const place = {
    draftId: id,
    businessId: row.business_id,
    number,
    templateId,
    suggestionId: before.suggestion_id,
  }
  const written = await writeVersion(tx, place, content)
  await endWaiting(tx, row, 'saved')
  const { jurisdiction, channel, purpose } = content
  await updateDraft(tx.db, row, { ...columns, ...backToWriting, version: number, jurisdiction, channel })
  await writeEvent(tx, row, { kind: 'saved', version: number })
  const after = { version: number, state: 'writing', channel, purpose, jurisdiction, assigneeId, ...written }
  await tx.record({
    subject: { type: 'draft', id },
    businessId: row.business_id,
    before: { version, state: row.state },
    after,
  })
  return { id, version: number }
}

/** The columns of a draft in the state `writing`, without a request or an approval. */
export const backToWriting = {
  state: 'writing',
  request_id: null,
  stale_since: null,
  stale_causes: null,
  due_at: null,
} as const

/** Errors: `not_found`, `draft_not_open` for a closed draft. */
export async function getOpenDraft(tx: Tx, id: string): Promise<DraftRow> {
  const row = await getDraftRow(tx.db, tx.actor.tenantId, id)
  if (row.state === 'closed') throw new AppError('draft_not_open', 'This draft is closed. Write a new draft.')
  return row
}

/** Ends the request that waits, if one does. */
export async function endWaiting(
  tx: Tx,
  { tenant_id, request_id: id }: DraftRow,
  outcome: 'saved' | 'withdrawn' | 'rejected' | 'expired' | 'stale' | 'closed',
  reason: string | null = null,
): Promise<void> {
  if (id !== null) await endRequest(tx.db, { tenant_id, id }, { outcome, at: tx.at, by: actorKey(tx.actor), reason })
}

function mergedWith(before: DraftContent, input: SaveDraft): WrittenContent {
  const written: WrittenContent = {
    jurisdiction: input.jurisdiction ?? before.jurisdiction,
    channel: input.channel ?? before.channel,
    purpose: input.purpose ?? before.purpose,
    language: input.language ?? before.language,
    recipient: input.recipient ?? { kind: before.recipient.kind, value: before.recipient.value },
    subject: input.subject === undefined ? before.subject : input.subject,
    text: input.text ?? before.text,
    citations: input.citations ?? before.citations.map(({ evidenceHash: _hash, ...citation }) => citation),
    noCitationReason: input.noCitationReason === undefined ? before.noCitationReason : input.noCitationReason,
    acknowledgements: input.acknowledgements ?? [...before.acknowledgements],
  }
  return input.templateId == null ? written : { ...written, templateId: input.templateId }
}

/** Errors: `not_found`, `draft_not_open` (closed already). */
export async function closeDraft(
  tx: Tx,
  { id, reason }: { id: string; reason: string },
): Promise<{ id: string; version: number }> {
  const row = await getOpenDraft(tx, id)
  await endWaiting(tx, row, 'closed')
  await updateDraft(tx.db, row, { ...backToWriting, state: 'closed', is_open: 0, updated_at: tx.at })
  await writeEvent(tx, row, { kind: 'closed', version: row.version, reason })
  await tx.record({
    subject: { type: 'draft', id },
    businessId: row.business_id,
    before: { state: row.state },
    after: { state: 'closed', version: row.version },
    reason,
  })
  return { id, version: row.version }
}
