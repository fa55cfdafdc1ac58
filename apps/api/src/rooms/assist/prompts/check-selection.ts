import { type CheckedPrompt, MAX_PROMPT_BYTES } from '@prospect/adapter-contract/prompt'
import { sealPrompt } from '@prospect/adapter-contract/seal-prompt'
import { AppError, namesNothing } from '../../../lib/app-error.ts'
import { fingerprint, hmacUnder, sha256 } from '../../../lib/hashing.ts'
import { listed } from '../../../lib/listed.ts'
import { numeral } from '../../../lib/numeral.ts'
import type { Keys } from '../../../store/files/keys.ts'
import { type Business, type FactField, getBusiness } from '../../businesses/businesses.ts'
import { type ContactValue, gate, mailAddressesIn, numbersIn } from '../../contact-gate/contact-gate.ts'
import { contentHashOf, type Evidence, findEvidenceOf } from '../../evidence/evidence.ts'
import { findSourceState, plannedContents, type RegistryView } from '../../sources/sources.ts'
import type { AssistPurpose } from '../assist.table.ts'
import { EVIDENCE_ITEMS, OUTPUT_TOKENS } from '../bounds.ts'
import { costOf, type Reservation } from '../budgets/budgets.rules.ts'
import { findApproved } from '../policies/policies.queries.ts'
import { completePolicy } from '../policies/policy.rules.ts'
import { detailsOf, type Enabled, readStatus } from '../status/read-status.ts'
import type { EvidenceRef } from '../suggestions/suggestions.queries.ts'
import type { RedactionKind } from '../suggestions/suggestions.schema.ts'
import { composePrompt, excessBytes, type PromptItem } from './compose-prompt.rules.ts'
import { indicatorIn } from './injection.rules.ts'
import { type Redacted, redact, redactWhole } from './redact.rules.ts'

/*
 * The checks before anything is sent (specification, Phase 13 §2), in their order: the first failure is thrown by name. They run for a
 * preview, when a request is accepted, and in the change that takes the permit.
 */

/** A view with the keys of the store, for the gate and the receipt. */
export type CheckView = RegistryView & { keys: Keys }

export type Selection = { businessId: string; purpose: AssistPurpose; evidenceIds: readonly string[] }

/** An observation as it is sent. */
export type SentItem = { evidence: Evidence; hash: string; prompt: PromptItem }

export type CheckedSelection = {
  ready: Enabled
  business: Business
  refs: EvidenceRef[]
  evidenceHash: string
  items: SentItem[]
  redactions: { evidenceId: string; kind: RedactionKind; count: number }[]
  withheld: { evidenceId: string; reason: 'contact_value_left' }[]
  receipt: string
  /** the sealed prompt, the bytes that the adapter sends for it, and their worst case; undefined where it is too large */
  sealed: { prompt: CheckedPrompt; content: string; contentHash: string; reservation: Reservation } | undefined
  excessBytes: number
}

/**
 * Checks 1 to 9. `useFallback`: asks the fallback source of the policy instead. Reads only, and sends nothing. Errors: `not_found`,
 * `assist_disabled`, `business_not_active`, `suppressed`, `evidence_not_usable`, `data_class_not_allowed`, `injection_suspected`.
 */
export async function checkSelection(
  view: CheckView,
  { businessId, purpose, evidenceIds }: Selection,
  { useFallback = false }: { useFallback?: boolean } = {},
): Promise<CheckedSelection> {
  const { db, tenantId } = view
  const business = await getBusiness(db, tenantId, businessId)
  const ids = [...new Set(evidenceIds)]
  const evidence = await namedEvidence(view, businessId, ids)
  const ready = await requireEnabled(view, purpose, useFallback)
  requireUsable(business)
  requireStanding(evidence, ids.length)
  requireDataClasses(evidence, ready)
  await requireUnsuppressed(view, evidence)
  const { items, redactions, withheld } = redactAll(evidence, ready)
  requireNoInstructions(evidence)
  if (items.length === 0)
    throw notUsable(evidence, 'A contact value is left in each item after redaction, so nothing can be sent.')
  const refs = evidence.map((one) => ({ evidenceId: one.id, hash: contentHashOf(one) }))
  const sent = items.map(({ prompt }) => prompt)
  const receipt = receiptOf(view, purpose, sent)
  const parts = composePrompt(purpose, receipt, sent)
  const over = excessBytes(parts)
  return {
    ready,
    business,
    refs,
    evidenceHash: fingerprint(refs),
    items,
    redactions,
    withheld,
    receipt,
    sealed: over > 0 ? undefined : sealFor(ready, sealPrompt(parts)),
    excessBytes: over,
  }
}

/** Errors: `prompt_too_large`. */
export function requireSealed(checked: CheckedSelection): NonNullable<CheckedSelection['sealed']> {
  if (checked.sealed === undefined) throw tooLarge(checked)
  return checked.sealed
}

export function tooLarge({ excessBytes: over }: CheckedSelection): AppError {
  return new AppError(
    'prompt_too_large',
    `The prompt is ${numeral(over)} bytes longer than ${numeral(MAX_PROMPT_BYTES)}. Choose fewer or shorter observations.`,
  )
}

/** Seals a prompt, and plans the bytes and the worst case of its call. Errors: `assist_disabled`. */
export function sealFor(
  { source, content: policy }: Enabled,
  prompt: CheckedPrompt,
): NonNullable<CheckedSelection['sealed']> {
  const planned = plannedContents(source, prompt)
  if ('reason' in planned) throw new AppError('assist_disabled', planned.reason)
  const content = planned.contents.join('\n')
  const inputTokens = Buffer.byteLength(content)
  const reservation = {
    tokens: inputTokens + OUTPUT_TOKENS,
    cost: costOf({ inputTokens, outputTokens: OUTPUT_TOKENS }, policy.prices),
  }
  return { prompt, content, contentHash: sha256(content), reservation }
}

/** In the order of the request. */
async function namedEvidence({ db, tenantId }: CheckView, businessId: string, ids: string[]): Promise<Evidence[]> {
  const found = new Map((await findEvidenceOf(db, tenantId, businessId, ids)).map((row) => [row.id, row]))
  return ids.map((id, index) => {
    const row = found.get(id)
    if (row === undefined) throw namesNothing(`evidenceIds.${index}`, 'This business has no such observation.')
    return row
  })
}

/** Returns policy and source of a request for this purpose. Errors: `assist_disabled`. */
export async function requireEnabled(view: CheckView, purpose: AssistPurpose, useFallback = false): Promise<Enabled> {
  if (useFallback) return fallbackOf(view, purpose)
  const status = await readStatus(view)
  const { ready } = status
  if (ready === undefined)
    throw new AppError('assist_disabled', 'Assistance is disabled. The status names what is missing.', {
      errors: status.items
        .filter(({ state }) => state !== 'present')
        .map(({ key, state, detail }) => ({ path: key, code: state, message: detail })),
    })
  if (!ready.content.purposes.includes(purpose)) throw purposeRefused(`The policy does not permit ${purpose}.`)
  return ready
}

/**
 * The fallback is approved and enabled by itself for the same purpose; the data classes are those of the approved policy that names it.
 * The state of the first source does not matter: a fallback is used because that one gave no answer.
 */
async function fallbackOf(view: CheckView, purpose: AssistPurpose): Promise<Enabled> {
  const policy = await findApproved(view.db, view.tenantId, view.at)
  const content = policy?.state === 'approved' ? completePolicy(policy) : undefined
  const id = content?.purposes.includes(purpose) === true ? content.fallbackSourceId : undefined
  const source = id === undefined ? undefined : await findSourceState(view, id)
  const details = detailsOf(source)
  const isUsable = source?.status === 'enabled' && source.contract.purposes?.includes(purpose) === true
  if (policy === undefined || content === undefined || source === undefined || details === undefined || !isUsable)
    throw purposeRefused('The fallback source is not enabled for this purpose.')
  if (source.openSince !== null) throw purposeRefused('The circuit of the fallback source is open.')
  return { policy, content, source, details }
}

function purposeRefused(message: string): AppError {
  return new AppError('assist_disabled', message, { errors: [{ path: 'purpose', code: 'missing', message }] })
}

function requireUsable({ status, doNotContact }: Business): void {
  if (status !== 'active')
    throw new AppError('business_not_active', `This record is ${status}; assistance is for active records.`)
  if (doNotContact !== null) throw new AppError('suppressed', 'This record is do not contact.')
}

function requireStanding(evidence: readonly Evidence[], count: number): void {
  if (count > EVIDENCE_ITEMS)
    throw new AppError('evidence_not_usable', `Choose at most ${EVIDENCE_ITEMS} observations; ${count} are chosen.`)
  const superseded = evidence.filter(({ supersededById }) => supersededById !== null)
  if (superseded.length > 0) throw notUsable(superseded, 'A later observation supersedes this one. Choose that one.')
}

function requireDataClasses(evidence: readonly Evidence[], { content: { dataClasses } }: Enabled): void {
  const refused = evidence.filter(({ field }) => !dataClasses.includes(field === null ? 'observations' : 'claims'))
  if (refused.length === 0) return
  throw new AppError(
    'data_class_not_allowed',
    `The policy permits ${listed(dataClasses)} only. Leave the other observations out.`,
    { errors: about(refused, 'data_class_not_allowed', 'The policy does not permit this class of data.') },
  )
}

const contactFields: Partial<Record<FactField, 'email' | 'phone' | 'domain'>> = {
  email: 'email',
  phone: 'phone',
  domain: 'domain',
}

async function requireUnsuppressed(view: CheckView, evidence: readonly Evidence[]): Promise<void> {
  const asked = evidence.flatMap((one) => contactsIn(one).map((value) => ({ one, value })))
  const matches = await gate(
    view,
    view.tenantId,
    asked.map(({ value }) => value),
  )
  const suppressed = [...new Set(matches.flatMap(({ index }) => asked[index]?.one ?? []))]
  if (suppressed.length === 0) return
  throw new AppError('suppressed', 'A suppression entry matches a contact value in this evidence. Leave it out.', {
    errors: about(suppressed, 'suppressed', 'A contact value in it is suppressed.'),
  })
}

/** Its own value, and every value that the readers of the gate find in its texts. */
function contactsIn(evidence: Evidence): ContactValue[] {
  const { field, value } = evidence
  const kind = field === null ? undefined : contactFields[field]
  const own: ContactValue[] = kind === undefined || value === null ? [] : [{ kind, value }]
  const read = textsOf(evidence).flatMap((text): ContactValue[] => [
    ...mailAddressesIn(text).map((address) => ({ kind: 'email' as const, value: address })),
    ...numbersIn(text, null).map((number) => ({ kind: 'phone' as const, value: number })),
  ])
  return [...own, ...read]
}

/** Everything of an observation that may be sent. */
function textsOf({ value, observation, sourceLabel }: Evidence): string[] {
  return [value, observation, sourceLabel].filter((text) => text !== null)
}

function redactAll(evidence: readonly Evidence[], { content: { dataClasses } }: Enabled) {
  const items: SentItem[] = []
  const redactions: CheckedSelection['redactions'] = []
  const withheld: CheckedSelection['withheld'] = []
  const sendsText = dataClasses.includes('observations')
  for (const one of evidence) {
    const value = one.field === null || one.value === null ? undefined : redactValue(one.field, one.value)
    const text = sendsText && one.observation !== null ? redact(one.observation) : undefined
    const source = one.sourceLabel === null ? undefined : redact(one.sourceLabel)
    const parts = [value, text, source].filter((part) => part !== undefined)
    for (const [kind, count] of totals(parts)) redactions.push({ evidenceId: one.id, kind, count })
    if (parts.some(({ isWithheld }) => isWithheld)) {
      withheld.push({ evidenceId: one.id, reason: 'contact_value_left' })
      continue
    }
    const prompt: PromptItem = {
      item: `E${items.length + 1}`,
      ...(one.field === null || value === undefined ? {} : { field: one.field, value: value.text }),
      ...(text === undefined ? {} : { text: text.text }),
      source: source?.text ?? null,
      captured: dayOf(one.capturedOn, one.capturedAt),
      observed: one.observedAt === null ? null : dayOf(one.observedOn, one.observedAt),
      confidence: one.confidence,
    }
    items.push({ evidence: one, hash: contentHashOf(one), prompt })
  }
  return { items, redactions, withheld }
}

function redactValue(field: FactField, value: string): Redacted {
  const kind = contactFields[field]
  return kind === undefined ? redact(value) : redactWhole(kind)
}

function totals(parts: readonly Redacted[]): Map<RedactionKind, number> {
  const sums = new Map<RedactionKind, number>()
  for (const { counts } of parts) for (const [kind, count] of counts) sums.set(kind, (sums.get(kind) ?? 0) + count)
  return sums
}

function dayOf(on: string | null, at: string): string {
  return on ?? at.slice(0, 10)
}

function requireNoInstructions(evidence: readonly Evidence[]): void {
  const suspected = evidence.filter((one) => textsOf(one).some((text) => indicatorIn(text) !== undefined))
  if (suspected.length === 0) return
  throw new AppError(
    'injection_suspected',
    'Some evidence looks like instructions for a model. Leave the named observations out.',
    { errors: about(suspected, 'injection_suspected', 'It looks like instructions for a model.') },
  )
}

function notUsable(evidence: readonly Evidence[], message: string): AppError {
  return new AppError('evidence_not_usable', message, { errors: about(evidence, 'evidence_not_usable', message) })
}

/** Names observations by id: no text of them is in an error. */
function about(evidence: readonly Evidence[], code: string, message: string) {
  return evidence.map(({ id }) => ({ path: `evidenceIds.${id}`, code, message }))
}

/** Depends on the items and a secret of the store: the same bytes in a preview and a request, and nobody who writes evidence can know it. */
export function receiptOf({ keys, tenantId }: CheckView, purpose: AssistPurpose, items: readonly PromptItem[]): string {
  const print = fingerprint({ tenantId, purpose, items })
  const letters = hmacUnder(keys.derive('receipt'))(print)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  return letters.slice(0, RECEIPT_LENGTH).padEnd(RECEIPT_LENGTH, 'x')
}

const RECEIPT_LENGTH = 10
