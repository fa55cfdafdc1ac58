import { actorKey, actorRef, type UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { keyReused } from '../../../store/change/idempotency.ts'
import { isBlocking, reachedCap } from '../checks/checks.rules.ts'
import { type Judged, judgeDraft } from '../checks/judge-draft.ts'
import { type DraftContext, readerIn, readerOf } from '../checks/read-check-input.ts'
import { labelOf } from '../content/content.schema.ts'
import { contactHoursOfDraft, sentenceOfHours } from '../content/draft-hours.rules.ts'
import { capLimits } from '../drafts.quota.ts'
import { originOf, requireSeen } from '../writing/request-approval.ts'
import { writeEvent } from '../writing/write-event.ts'
import { type CopyRow, findCopyByKey, getCopyRow, insertCopy } from './copies.queries.ts'
import type { Copy, CopyDraft } from './copies.schema.ts'

/*
 * Copy approved text (specification, Phase 14 §4): the only effect that exists. It returns a text for a person to copy by hand. There is no delivery
 * provider; a future side effect would go through this function, before any call of a provider.
 */

/** Returns the fingerprint of a request for a copy. The same key with another fingerprint is refused. */
function fingerprintOf(draftId: string, input: CopyDraft): string {
  const { draftVersion, contentHash, snapshotHash, policyVersion } = input
  return fingerprint({ draftId, draftVersion, contentHash, snapshotHash, policyVersion, ...originIn(input) })
}

function originIn({ suggestionId, provider, assistPolicy }: CopyDraft) {
  return { suggestion: suggestionId ?? null, provider: provider ?? null, assistPolicy: assistPolicy ?? null }
}

/**
 * Runs all checks again with the suppression gate last, counts the caps and inserts the copy, in one transaction. Changes no state, records no
 * interaction, moves nothing and starts no job. Returns the id alone: the text is never stored with the idempotency key. A key is good for one
 * copy, also after its stored result was pruned. Errors: `not_found`, `approval_ended`, `draft_changed`, `suppressed`, `checks_failed`,
 * `outside_contact_hours`, `cap_reached`, `idempotency_key_reused`.
 */
export async function copyDraft(
  tx: Tx,
  actor: UserActor,
  { id, input, adapters }: { id: string; input: CopyDraft; adapters: LoadedAdapters },
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = actor
  const key = tx.idempotencyKey
  if (key === null) throw new Error('A copy without an Idempotency-Key.')
  const known = await findCopyByKey(tx.db, tenantId, key)
  const print = fingerprintOf(id, input)
  if (known !== undefined) {
    if (known.fingerprint !== print || known.copied_by !== actorKey(actor)) throw keyReused()
    return unchanged({ id: known.id })
  }
  const judged = await judgeDraft(readerIn(tx, adapters), { tenantId, id, personId: actor.userId, at: tx.at })
  const { row, version, request, reading } = judged
  requireApproved(judged)
  requireVersions(judged, input)
  requireSeen(judged, input)
  if (request === undefined) throw new Error('An approved draft without its request.')
  requireContactHours(judged, tx.at)
  requireRegistry(judged)
  requireCaps(judged)
  const copyId = newId()
  await insertCopy(tx.db, {
    tenant_id: tenantId,
    id: copyId,
    draft_id: id,
    number: row.version,
    request_id: request.id,
    idempotency_key: key,
    fingerprint: print,
    recipient_key: reading.recipientKey,
    purpose: version.purpose,
    policy: input.policyVersion,
    // The later of the clock and the newest event: with a clock that was set back, the copy would count for no cap.
    copied_at: judged.now,
    copied_by: actorKey(actor),
  })
  await writeEvent(tx, row, { kind: 'copied', version: row.version })
  await tx.record({
    subject: { type: 'draft', id },
    businessId: row.business_id,
    after: {
      copyId,
      version: row.version,
      contentHash: version.content_hash,
      snapshotHash: judged.snapshotHash,
      policy: input.policyVersion,
      fingerprint: print,
      ...originOf(reading.snapshot),
    },
  })
  return { id: copyId }
}

/** Errors: `draft_changed`. */
function requireVersions({ row, reading: { snapshot } }: Judged, input: CopyDraft): void {
  const { suggestion } = snapshot
  const now = {
    suggestion: suggestion?.id ?? null,
    provider: suggestion?.provider ?? null,
    assistPolicy: suggestion?.policy ?? null,
  }
  const isSame = input.draftVersion === row.version && input.policyVersion === snapshot.policy
  if (isSame && fingerprint(now) === fingerprint(originIn(input))) return
  throw new AppError('draft_changed', 'The draft or its policy changed after you opened it. Check the draft again.', {
    errors: [{ path: 'draftVersion', code: 'version', message: 'There is a newer version, or another policy.' }],
  })
}

/** Errors: `suppressed`, `approval_ended` with what changed. */
function requireApproved({ state, checks, causes }: Judged): void {
  const suppression = checks.find(({ key }) => key === 'suppression')
  if (suppression !== undefined && isBlocking(suppression)) throw new AppError('suppressed', suppression.message)
  if (state === 'approved') return
  throw new AppError(
    'approval_ended',
    causes.length === 0
      ? 'This draft is not approved. Request approval first.'
      : 'The approval of this draft ended, because something changed. Request approval again.',
    { errors: causes.map(({ code, subject }) => ({ path: subject, code, message: `This changed: ${subject}.` })) },
  )
}

/** Errors: `outside_contact_hours`, if the policy refuses copies then. */
function requireContactHours({ content, reading }: Judged, at: string): void {
  const hours = contactHoursOfDraft(content, reading.input.policy, at)
  if (hours.isRefused) throw new AppError('outside_contact_hours', sentenceOfHours(hours))
}

/** Errors: `checks_failed`, if no registry round is recent enough for the recipient. The approval stands meanwhile. */
function requireRegistry({ checks }: Judged): void {
  const registry = checks.find(({ key }) => key === 'registry')
  if (registry === undefined || !isBlocking(registry)) return
  const { message, action } = registry
  throw new AppError('checks_failed', action === null ? message : `${message} ${action}`)
}

/** Errors: `cap_reached`, with the cap, its use and its maximum, unless the cap is that of all workspaces or of consent requests. */
function requireCaps({ checks, reading }: Judged): void {
  const caps = checks.find(({ key }) => key === 'caps')
  if (caps === undefined || !isBlocking(caps)) return
  const message = caps.action === null ? caps.message : `${caps.message} ${caps.action}`
  const reached = reachedCap(reading.input)
  if (reached === undefined) throw new AppError('cap_reached', message)
  const { used: size, most: max } = reading.input.caps[reached]
  throw new AppError('cap_reached', message, { limit: capLimits[reached].name, size, max })
}

/**
 * Returns a copy for its person. A repeated request gets the same record, and the text only while the approval stands and the gate allows it.
 * Errors: `not_found`.
 */
export async function readCopy(context: DraftContext, actor: UserActor, id: string): Promise<Copy> {
  const { store } = context
  const { tenantId, userId } = actor
  const row = await getCopyRow(store.reader, tenantId, id)
  const at = store.clock().toISOString()
  const judged = await judgeDraft(readerOf(context), { tenantId, id: row.draft_id, personId: userId, at })
  const withheld = whyWithheld(judged, row, at)
  const { caps } = judged.reading.input
  const left = ({ used, most }: { used: number; most: number }) => Math.max(0, most - used)
  return {
    id: row.id,
    draftId: row.draft_id,
    draftVersion: row.number,
    at: row.copied_at,
    by: actorRef(row.copied_by, row.copier_name),
    fingerprint: row.fingerprint,
    label: labelOf(judged.version.suggestion_id),
    subject: withheld === null ? judged.reading.rendered.subject : null,
    text: withheld === null ? judged.reading.rendered.text : null,
    textWithheld: withheld,
    remaining: { recipient: left(caps.recipient), person: left(caps.person), tenant: left(caps.tenant) },
  }
}

/**
 * Returns why the text of a copy is withheld, or null if it may be shown. It is shown only while the approval under which it was copied is in force,
 * within contact hours if the policy refuses copies outside of them, and with a registry round as recent as the policy requires.
 */
function whyWithheld(
  { state, checks, request, content, reading }: Judged,
  row: CopyRow,
  at: string,
): Copy['textWithheld'] {
  const suppression = checks.find(({ key }) => key === 'suppression')
  if (suppression === undefined || isBlocking(suppression)) return 'suppressed'
  if (state !== 'approved' || request?.id !== row.request_id) return 'approval_ended'
  if (contactHoursOfDraft(content, reading.input.policy, at).isRefused) return 'outside_contact_hours'
  return checks.some((check) => check.key === 'registry' && isBlocking(check)) ? 'registry_round_due' : null
}
