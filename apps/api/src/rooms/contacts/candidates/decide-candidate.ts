import { actorKey, requirePermission } from '../../../lib/actor.ts'
import { AppError, invalidField, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { requireSeen } from '../../../lib/seen.ts'
import type { Tx } from '../../../store/change/change.ts'
import { addIdentifier, getActiveBusiness } from '../../businesses/businesses.ts'
import { addEvidence } from '../../evidence/evidence.ts'
import { normalizeIdentifier } from '../../normalization/normalization.ts'
import { addPerson, addValueToPerson, type TypedValue } from '../../people/people.ts'
import { sitesOfRecord } from '../../scanning/scanning.ts'
import { askGate } from './ask-gate.ts'
import {
  type CandidateRow,
  findCandidateRow,
  insertDecision,
  saveRejection,
  selectSightings,
  updateCandidate,
} from './candidates.queries.ts'
import type { ContactCandidate, DecideContact } from './candidates.schema.ts'
import { candidateParts, getContactCandidate } from './read-candidates.ts'
import { rejectionHasher } from './save-findings.ts'

const actions = {
  accept: 'contact_candidate.accept',
  reject: 'contact_candidate.reject',
  release: 'contact_candidate.release',
} as const

/**
 * Decides about a candidate on what the person saw. Accepting writes evidence, and the value onto the record, or to a person at the prospect, only
 * where the person who decides asks for it. Errors:
 * `not_found`, `permission_denied` (people), `person_known`, `candidate_changed` (names what changed), `candidate_not_open`, `reason_required`, `suppressed`, `business_not_active`, `invalid_request`
 * (region), `conflict` (the record is full), `unavailable` where the gate cannot answer.
 */
export async function decideContact(tx: Tx, id: string, input: DecideContact): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const row = await findCandidateRow(tx.db, tenantId, id)
  if (row === undefined) throw notFound()
  const candidate = await getContactCandidate(tx, tenantId, id, new Date(tx.at))
  requireOpen(row, input.decision)
  requireSeen(input.fingerprint, candidate.fingerprint, {
    code: 'candidate_changed',
    what: 'candidate',
    sentences: Object.values(candidateParts),
  })
  const reason = input.reason ?? null
  if (input.decision !== 'accept' && reason === null)
    throw new AppError('reason_required', 'Enter a reason.', {
      errors: [{ path: 'reason', code: 'reason_required', message: 'Enter a reason.' }],
    })
  const business = await getActiveBusiness(tx, row.business_id)
  if (business.doNotContact !== null || candidate.business.doNotContact)
    throw new AppError('suppressed', 'This prospect is marked do not contact, so nothing can be added.')
  await requireSite(tx, row)
  const accepted = input.decision === 'accept' ? await accept(tx, row, candidate, input) : null
  const { evidenceId = null, personId = null } = accepted ?? {}
  if (input.decision === 'reject') await reject(tx, row)
  if (input.decision === 'release') await updateCandidate(tx.db, { tenantId, id }, { state: 'open' })
  await insertDecision(tx.db, {
    tenant_id: tenantId,
    id: newId(),
    candidate_id: id,
    decision: input.decision,
    reason,
    fingerprint: candidate.fingerprint,
    evidence_id: evidenceId,
    added_to_record: input.decision === 'accept' && input.addToRecord ? 1 : 0,
    at: tx.at,
    actor: actorKey(tx.actor),
  })
  await tx.record({
    action: actions[input.decision],
    subject: { type: 'contact_candidate', id },
    businessId: row.business_id,
    before: { state: row.state },
    after: {
      decision: input.decision,
      evidenceId,
      addedToRecord: input.decision === 'accept' && input.addToRecord,
      personId,
    },
    reason,
  })
  return { id }
}

function requireOpen({ state }: CandidateRow, decision: DecideContact['decision']): void {
  const wanted = { accept: ['open', 'known'], reject: ['open'], release: ['quarantined'] }[decision]
  if (!wanted.includes(state))
    throw new AppError(
      'candidate_not_open',
      `This candidate is ${state}. ${state === 'quarantined' ? 'Release it first.' : `Only a contact that is ${wanted.join(' or ')} can be decided in this way.`}`,
    )
}

/** The page must still be one of an approved site. */
async function requireSite(tx: Tx, { business_id: businessId, candidate_id: id }: CandidateRow): Promise<void> {
  const { tenantId } = tx.actor
  const sites = await sitesOfRecord(tx.db, { tenantId, businessId, now: tx.at })
  const approved = sites.filter(({ state }) => state === 'approved').map((site) => site.id)
  const shown = await selectSightings(tx.db, tenantId, [id])
  if (!shown.some((one) => approved.includes(one.site_id)))
    throw new AppError(
      'candidate_not_open',
      'The approval of the official site has ended, so this contact can no longer be accepted.',
    )
}

async function accept(
  tx: Tx,
  row: CandidateRow,
  candidate: ContactCandidate,
  { region: stated = null, label = null, addToRecord, personId = null, newPerson = null }: DecideContact,
): Promise<{ evidenceId: string; personId: string | null }> {
  const { tenantId } = tx.actor
  const { kind } = row
  const value = statedValue(row)
  if (value === null) throw notFound()
  if (stated !== null) await requireCountry(tx, row, stated)
  // Accepting a number in local form confirms the country with which it was read.
  const region = stated ?? row.region
  // The chosen country may give the number another key.
  if ((await askGate(tx, tenantId, [{ kind, value, region }])).length > 0)
    throw new AppError(
      'suppressed',
      'This value is on the do-not-contact list, so it cannot be stored as evidence or added to the record.',
    )
  const page = candidate.sightings.find(({ pageUrl }) => pageUrl !== null)
  const { id: evidenceId } = await addEvidence(tx, row.business_id, {
    field: kind,
    value,
    sourceLabel: 'Official site',
    capturedAt: page?.observedAt ?? row.created_at,
    confidence: candidate.confidence.level,
    context: contextOf(candidate),
    ...(page?.pageUrl == null || page.pageUrl.includes('***') ? {} : { url: page.pageUrl }),
  })
  await updateCandidate(tx.db, { tenantId, id: row.candidate_id }, { state: 'accepted' })
  if (addToRecord)
    await addIdentifier(tx, row.business_id, {
      kind,
      value,
      label: label ?? null,
      region: kind === 'phone' ? region : null,
    })
  const found = { kind, value, label, region: kind === 'phone' ? region : null }
  return { evidenceId, personId: await giveToPerson(tx, row.business_id, found, { personId, newPerson }) }
}

/** Gives an accepted value to the chosen person, or to a new one. Returns the id of the person; null if the value is nobody's. */
async function giveToPerson(
  tx: Tx,
  businessId: string,
  { kind, value, label, region }: Omit<TypedValue, 'path'>,
  { personId, newPerson }: { personId: string | null; newPerson: DecideContact['newPerson'] },
): Promise<string | null> {
  if (personId !== null || newPerson != null) requirePermission(tx.actor, 'people.write')
  const typed = { kind, value, label, region, path: personId === null ? 'newPerson' : 'personId' }
  const id = newPerson == null ? personId : (await addPerson(tx, businessId, newPerson)).id
  if (id === null) return null
  await addValueToPerson(tx, { businessId, personId: id }, typed)
  return id
}

/** Returns the value as the page shows it; for a written-out address, the address that it spells. */
function statedValue({ kind, value, normalized }: CandidateRow): string | null {
  const isWrittenOut = kind === 'email' && value !== null && normalizeIdentifier('email', value).normalized === null
  return isWrittenOut ? (normalized ?? value) : value
}

/** Returns method, place and text of the first sighting. */
function contextOf({ sightings: [first], confidence }: ContactCandidate): string {
  const where = [first?.location, first?.pageTitle].filter((part) => part != null && part !== '').join(' · ')
  return [
    `Read by ${first?.method.replace('_', ' ') ?? 'text'}${where === '' ? '' : ` in ${where}`}.`,
    `Confidence: ${confidence.level} (${confidence.reasons.join(', ').replaceAll('_', ' ') || 'no reason'}).`,
    first?.context ?? '',
  ]
    .filter((part) => part !== '')
    .join('\n')
}

async function requireCountry(
  tx: Tx,
  { kind, value, candidate_id: id, uncertainty, region: read }: CandidateRow,
  region: string,
): Promise<void> {
  if (kind !== 'phone' || (uncertainty !== 'no_country_context' && read === null))
    throw invalidField('region', 'not_allowed', 'Only a number without a country code needs a country.')
  const { normalized } = normalizeIdentifier('phone', value ?? '', region)
  if (normalized === null)
    throw invalidField('region', 'invalid_value', 'This number does not exist in the chosen country.')
  await updateCandidate(tx.db, { tenantId: tx.actor.tenantId, id }, { normalized, uncertainty: null, region })
}

async function reject(tx: Tx, row: CandidateRow): Promise<void> {
  const { tenantId } = tx.actor
  await saveRejection(tx.db, {
    tenant_id: tenantId,
    business_id: row.business_id,
    hash: rejectionHasher(tx)(row.identity ?? ''),
    candidate_id: row.candidate_id,
    rejected_at: tx.at,
  })
  await updateCandidate(tx.db, { tenantId, id: row.candidate_id }, { state: 'rejected' })
}
