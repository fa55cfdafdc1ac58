import { type Actor, actorKey, actorRef } from '../../../lib/actor.ts'
import { AppError, invalidField, namedIn, notFound } from '../../../lib/app-error.ts'
import { isInFuture } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { requireRoomIn } from '../../../lib/limit-reached.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import {
  businessChild,
  getActiveBusiness,
  getBusiness,
  hidesWrittenFor,
  inFamily,
  reasonForReader,
} from '../../businesses/businesses.ts'
import { findHiddenValues, HIDDEN } from '../../contact-gate/contact-gate.ts'
import { getEvidence } from '../../evidence/evidence.ts'
import { findRecipient } from '../content/content.rules.ts'
import { requireRecipient, storedContactsOf } from '../content/recipient-gate.ts'
import { legalBasisLimit } from '../drafts.quota.ts'
import { limits } from '../limits.ts'
import {
  type BasisRow,
  countBases,
  findBasis,
  insertBasis,
  insertWithdrawal,
  readChannels,
  selectBases,
} from './legal-bases.queries.ts'
import type { AddBasis, LegalBasis } from './legal-bases.schema.ts'

/*
 * Legal bases (specification, Phase 14 §2 and §3). A person states why a prospect may be written to, and where the proof is. No score, pipeline
 * state, public address, contact candidate or citation is one. A basis is never changed: it is withdrawn, and another one is added. An objection
 * ends it (`objections.queries.ts`).
 */

/**
 * Adds a legal basis. It states that its recipient may be written to, so one for a suppressed recipient, or for a prospect that is do not contact, is
 * refused: the entry or the block is removed first, with its reason. Errors: `not_found` (the evidence), `business_not_active`, `invalid_request`
 * (the times), `suppressed` (the prospect or the recipient), `limit_reached`.
 */
export async function addLegalBasis(tx: Tx, businessId: string, input: AddBasis): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  if (business.doNotContact !== null)
    throw new AppError(
      'suppressed',
      'This prospect is marked do not contact. An administrator must lift the mark before a legal basis can be added.',
    )
  requireTerm(tx, input)
  if (input.evidenceId != null) await requireEvidence(tx, businessId, input.evidenceId)
  requireRoomIn(legalBasisLimit, { used: await countBases(tx.db, tenantId, businessId) })
  const recipient = input.recipient == null ? null : findRecipient(business, input.recipient)
  if (recipient !== null) await requireRecipient(tx, businessId, recipient)
  const id = newId()
  const { kind, purpose, jurisdiction, documentReference, evidenceId, from, until, language, agreedTo, sale } = input
  const form = input.form ?? 'none'
  await insertBasis(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    kind,
    channels: JSON.stringify(input.channels),
    purpose,
    jurisdiction,
    recipient_kind: recipient?.kind ?? null,
    recipient_value: recipient?.value ?? null,
    recipient_normalized: recipient?.normalized ?? null,
    form,
    language: language ?? null,
    agreed_to: agreedTo ?? null,
    recording_reference: input.recordingReference ?? null,
    sale: sale?.what ?? null,
    sold_on: sale?.on ?? null,
    document_reference: documentReference ?? null,
    evidence_id: evidenceId ?? null,
    valid_from: from,
    valid_until: until,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  // Without what they consented to, the sale and the references, which name people and are erased with the prospect.
  const { channels } = input
  const after = { kind, form, channels, purpose, jurisdiction, evidenceId: evidenceId ?? null, from, until }
  await tx.record({ subject: { type: 'legal_basis', id }, businessId, after })
  return { id }
}

function requireTerm(tx: Tx, { from, until, sale }: AddBasis): void {
  if (sale != null && isInFuture(`${sale.on}T00:00:00Z`, tx.at))
    throw invalidField('sale.on', 'in_future', 'The sale must be today or in the past.')
  if (isInFuture(from, tx.at)) throw invalidField('from', 'in_future', 'A legal basis must begin today or in the past.')
  if (until <= from) throw invalidField('until', 'before_from', 'The end must be after the beginning.')
  const longest = Temporal.Instant.from(from)
    .toZonedDateTimeISO('UTC')
    .add({ months: limits.legalBasisMonths })
    .toInstant()
    .toString({ smallestUnit: 'millisecond' })
  if (until > longest)
    throw invalidField('until', 'too_late', `A legal basis can last at most ${limits.legalBasisMonths} months.`)
}

async function requireEvidence(tx: Tx, businessId: string, id: string): Promise<void> {
  const evidence = getEvidence(tx.db, tx.actor.tenantId, businessId, id)
  await namedIn('evidenceId', 'This prospect has no such evidence.', evidence)
}

/** Errors: `not_found`, `conflict` (withdrawn already). */
export async function withdrawLegalBasis(
  tx: Tx,
  { businessId, id, reason }: { businessId: string; id: string; reason: string },
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const row = await getBasisRow(tx.db, { tenantId, businessId, id })
  if (row.withdrawn_at !== null) throw new AppError('conflict', 'This legal basis was already withdrawn.')
  await insertWithdrawal(tx.db, { tenant_id: tenantId, basis_id: id, at: tx.at, actor: actorKey(tx.actor), reason })
  const after = { kind: row.kind, form: row.form }
  await tx.record({ subject: { type: 'legal_basis', id }, businessId: row.business_id, after, reason })
  return { id }
}

async function getBasisRow(
  db: Tx['db'],
  { tenantId, businessId, id }: { tenantId: string; businessId: string; id: string },
): Promise<BasisRow> {
  const row = await inFamily(db, { tenantId, businessId }, (one) => findBasis(db, { tenantId, businessId: one, id }))
  if (row === undefined) throw notFound()
  return row
}

/** A legal basis as this reader may see it. Errors: `not_found`; those of the gate. */
export async function getLegalBasis(
  { reader: db, keys }: Store,
  reader: Actor,
  { businessId, id }: { businessId: string; id: string },
): Promise<LegalBasis> {
  const row = await getBasisRow(db, { tenantId: reader.tenantId, businessId, id })
  const business = await getBusiness(db, reader.tenantId, businessId)
  const isHidden = await hidesWrittenFor(db, reader, business, [row.business_id])
  const isSuppressed = (await findHiddenValues({ db, keys }, reader, storedContactsOf(row))).size > 0
  return toBasis(row, { isHidden: isHidden(row.business_id) || isSuppressed })
}

function toBasis(row: BasisRow, { isHidden }: { isHidden: boolean }): LegalBasis {
  const recipient =
    row.recipient_kind === null
      ? null
      : { kind: row.recipient_kind, value: isHidden ? HIDDEN : (row.recipient_value ?? '') }
  return {
    id: row.id,
    businessId: row.business_id,
    kind: row.kind,
    form: row.form,
    language: row.language,
    agreedTo: reasonForReader(row.agreed_to, { isHidden }),
    recordingReference: reasonForReader(row.recording_reference, { isHidden }),
    sale: row.sold_on === null ? null : { what: reasonForReader(row.sale, { isHidden }) ?? '', on: row.sold_on },
    channels: readChannels(row.channels),
    purpose: row.purpose,
    jurisdiction: row.jurisdiction,
    recipient,
    documentReference: reasonForReader(row.document_reference, { isHidden }),
    evidenceId: row.evidence_id,
    from: row.valid_from,
    until: row.valid_until,
    objectedAt: row.objected_at,
    withdrawal:
      row.withdrawn_at === null || row.withdrawn_by === null
        ? null
        : {
            at: row.withdrawn_at,
            by: actorRef(row.withdrawn_by, row.withdrawer_name),
            reason: reasonForReader(row.withdrawal_reason, { isHidden }),
          },
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
  }
}

/** The legal bases of one prospect and of records merged into it, newest first. */
export const legalBasesOfBusiness = businessChild<BasisRow, LegalBasis>({
  name: 'legal bases',
  table: 'legal_bases',
  select: (db, { before: [before] = [], ...wanted }) => selectBases(db, { ...wanted, before }),
  businessOf: (row) => row.business_id,
  contactsOf: storedContactsOf,
  toItem: toBasis,
})
