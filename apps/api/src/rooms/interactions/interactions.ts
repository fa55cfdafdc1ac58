import { actorKey } from '../../lib/actor.ts'
import { AppError, invalidField, namesNothing } from '../../lib/app-error.ts'
import { isInFuture } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { businessChild, getActiveBusiness, inFamily } from '../businesses/businesses.ts'
import { requirePersonAt } from '../people/people.ts'
import { requireTodayOrLater } from './follow-up-day.ts'
import { findInteraction, insertInteraction, selectInteractions } from './interactions.queries.ts'
import type { AddInteraction, Interaction } from './interactions.schema.ts'
import { refreshLastContact } from './last-contact.ts'

/*
 * Contacts between people and a prospect, recorded afterwards (specification, Phase 12 §1 to §3). Interactions are write-once. A correction is a new
 * interaction that refers to the old one; both are kept. No interaction moves the prospect in the pipeline, or plans or sends anything. Summary and
 * participants are stored only in the interaction, never in an audit event or a log. For a do not contact record they can contain its address or
 * number, so only people who may see contact values see them.
 */

/**
 * Records an interaction with an active business. Returns only its id, because the response of a change is stored for replays of its idempotency key
 * and would contain a second copy of the summary. A do not contact business accepts an interaction too, because its people may have called; the
 * interaction is marked as such, and the block remains. A correction of an interaction of a merged record is stored with that record, and reversing
 * the merge separates it together with the record. Errors: `not_found`, `business_not_active`, `invalid_request`, `interaction_already_corrected`.
 */
export async function addInteraction(tx: Tx, businessId: string, input: AddInteraction): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { doNotContact } = await getActiveBusiness(tx, businessId)
  const { occurredAt, channel, direction = null, outcome, summary = null, participants } = input
  const { followUpOn = null, acceptPastFollowUp, correctsId = null, personId = null } = input
  if (isInFuture(occurredAt, tx.at))
    throw invalidField('occurredAt', 'in_future', 'This time is in the future. You can record only past interactions.')
  if (followUpOn !== null && acceptPastFollowUp !== true) await requireTodayOrLater(tx, followUpOn)
  const corrected = correctsId === null ? null : await requireCorrectable(tx, businessId, correctsId)
  if (personId !== null) await requirePersonAt(tx, businessId, personId)
  const home = corrected?.businessId ?? businessId
  const id = newId()
  await insertInteraction(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: home,
    occurred_at: occurredAt,
    channel,
    direction,
    outcome,
    summary,
    participants: JSON.stringify(participants),
    follow_up_on: followUpOn,
    corrects_id: correctsId,
    on_do_not_contact: doNotContact === null ? 0 : 1,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    person_id: personId,
  })
  await refreshLastContact(tx, home)
  await tx.record({
    subject: { type: 'interaction', id },
    businessId: home,
    after: {
      occurredAt,
      channel,
      direction,
      outcome,
      followUpOn,
      correctsId,
      onDoNotContact: doNotContact !== null,
      summaryCharacters: summary?.length ?? 0,
      participants: participants.length,
      personId,
    },
  })
  return { id }
}

async function requireCorrectable(tx: Tx, businessId: string, id: string): Promise<Interaction> {
  const { tenantId } = tx.actor
  const corrected = await inFamily(tx.db, { tenantId, businessId }, (one) => findInteraction(tx.db, tenantId, one, id))
  if (corrected === undefined) {
    throw namesNothing('correctsId', 'This prospect has no such interaction.')
  }
  if (corrected.correctedById !== null) {
    throw new AppError(
      'interaction_already_corrected',
      'This interaction was already corrected. Correct the newer entry.',
    )
  }
  return corrected
}

/**
 * Interactions as children of a business: those of the business and of records merged into it, by time of occurrence, latest first, including
 * corrected ones.
 */
export const interactionsOfBusiness = businessChild<Interaction, Interaction>({
  name: 'interactions',
  table: 'interactions',
  select: (db, { before: [occurredAt, id] = [], ...wanted }) =>
    selectInteractions(db, {
      ...wanted,
      before: occurredAt === undefined || id === undefined ? undefined : { occurredAt, id },
    }),
  businessOf: (one) => one.businessId,
  order: (one) => [one.occurredAt, one.id],
  toItem: (one) => one,
})

export { refreshLastContact } from './last-contact.ts'
