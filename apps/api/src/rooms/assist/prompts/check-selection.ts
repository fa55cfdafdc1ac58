import { type CheckedPrompt, MAX_PROMPT_BYTES } from '@prospect/adapter-contract/prompt'
import { sealPrompt } from '@prospect/adapter-contract/seal-prompt'
import { AppError, namesNothing } from '../../../lib/app-error.ts'
import { fingerprint, hmacUnder, sha256 } from '../../../lib/hashing.ts'
import { tooLarge as exceeds, type SizeLimit } from '../../../lib/limit-reached.ts'
import { listed } from '../../../lib/listed.ts'
import type { Keys } from '../../../store/files/keys.ts'
import { type Business, getBusiness } from '../../businesses/businesses.ts'
import { gate } from '../../contact-gate/contact-gate.ts'
import { contentHashOf, type Evidence, findEvidenceOf } from '../../evidence/evidence.ts'
import { findSourceState, plannedContents, type RegistryView } from '../../sources/sources.ts'
import type { AssistPurpose } from '../assist.table.ts'
import { EVIDENCE_ITEMS, OUTPUT_TOKENS } from '../bounds.ts'
import { costOf, type Reservation } from '../budgets/budgets.rules.ts'
import { findApproved } from '../policies/policies.queries.ts'
import { completePolicy } from '../policies/policy.rules.ts'
import { detailsOf, type Enabled, readStatus } from '../status/read-status.ts'
import type { RedactionKind, WithheldReason } from '../suggestions/claims.ts'
import type { EvidenceRef } from '../suggestions/suggestions.queries.ts'
import { composePrompt, excessBytes, type PromptItem } from './compose-prompt.rules.ts'
import type { EvidenceTexts, Examined, ExaminedEvidence } from './examine.rules.ts'
import type { Redacted } from './redact.rules.ts'
import { examineEvidence, type Lane } from './run-examination.ts'

/*
 * The checks before anything is sent (specification, Phase 13 §2), in their order: the first failure is thrown by name. They run for a
 * preview, when a request is accepted, and in the change that takes the permit. The rules read the texts in a thread before them, so that no
 * change waits for it.
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
  withheld: { evidenceId: string; reason: WithheldReason }[]
  receipt: string
  /** the sealed prompt, the bytes that the adapter sends for it, and their worst case; undefined where it is too large */
  sealed: { prompt: CheckedPrompt; content: string; contentHash: string; reservation: Reservation } | undefined
  excessBytes: number
}

/**
 * Examines the texts of a selection in the thread of `lane`, for `checkSelection`. Observations that do not exist are left out, and of a
 * selection that is too large nothing is examined: the checks refuse both. Errors: as `examineEvidence`.
 */
export async function examineSelection(
  { db, tenantId }: Pick<CheckView, 'db' | 'tenantId'>,
  lane: Lane,
  { businessId, evidenceIds }: Pick<Selection, 'businessId' | 'evidenceIds'>,
): Promise<Examined> {
  const ids = [...new Set(evidenceIds)]
  if (ids.length > EVIDENCE_ITEMS) return new Map()
  return examineEvidence({ lane, tenantId }, (await findEvidenceOf(db, tenantId, businessId, ids)).map(textsOf))
}

function textsOf(evidence: Evidence): EvidenceTexts {
  const { field, value, observation, sourceLabel } = evidence
  return { hash: contentHashOf(evidence), field, value, observation, sourceLabel }
}

/**
 * Checks 1 to 9. `examined`: the texts of the selection, as `examineSelection` read them. `useFallback`: asks the fallback source of the
 * policy instead. Reads only, and sends nothing. Errors: `not_found`, `assist_disabled`, `business_not_active`, `suppressed`,
 * `evidence_not_usable` (also for evidence that changed since it was examined), `data_class_not_allowed`, `injection_suspected`.
 */
export async function checkSelection(
  view: CheckView,
  { businessId, purpose, evidenceIds }: Selection,
  { examined, useFallback = false }: { examined: Examined; useFallback?: boolean },
): Promise<CheckedSelection> {
  const { db, tenantId } = view
  const business = await getBusiness(db, tenantId, businessId)
  const ids = [...new Set(evidenceIds)]
  const evidence = await namedEvidence(view, businessId, ids)
  const ready = await requireEnabled(view, purpose, useFallback)
  requireUsable(business)
  requireCurrent(evidence, ids.length)
  requireDataClasses(evidence, ready)
  const read = readOf(evidence, examined)
  await requireUnsuppressed(view, read)
  const { items, redactions, withheld } = redactAll(read, ready)
  requireNoInstructions(read)
  if (items.length === 0)
    throw notUsable(
      evidence,
      'No observation can be sent, because each may contain an address or number, has too many of them, or is too long.',
    )
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

export const promptSize: SizeLimit = {
  name: 'prompt',
  subject: 'The prompt',
  unit: 'bytes',
  remedy: 'Choose fewer or shorter observations.',
}
export const selectionSize: SizeLimit = {
  name: 'observations_of_request',
  subject: 'This request',
  unit: 'observations',
  remedy: 'Choose fewer.',
}

/** Errors: `prompt_too_large`. */
export function requireSealed(checked: CheckedSelection): NonNullable<CheckedSelection['sealed']> {
  if (checked.sealed === undefined) throw tooLarge(checked)
  return checked.sealed
}

export function tooLarge({ excessBytes: over }: CheckedSelection): AppError {
  return exceeds(promptSize, { code: 'prompt_too_large', size: MAX_PROMPT_BYTES + over, max: MAX_PROMPT_BYTES })
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
    throw new AppError('assist_disabled', 'AI assistance is disabled. The AI assistance page shows what is missing.', {
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
    throw purposeRefused('The second source is not enabled for this purpose.')
  if (source.openSince !== null) throw purposeRefused('The second source was stopped after failures.')
  return { policy, content, source, details }
}

function purposeRefused(message: string): AppError {
  return new AppError('assist_disabled', message, { errors: [{ path: 'purpose', code: 'missing', message }] })
}

function requireUsable({ status, doNotContact }: Business): void {
  if (status !== 'active')
    throw new AppError(
      'business_not_active',
      `This record is ${status}. AI assistance is available only for active records.`,
    )
  if (doNotContact !== null) throw new AppError('suppressed', 'This prospect is marked do not contact.')
}

function requireCurrent(evidence: readonly Evidence[], count: number): void {
  if (count > EVIDENCE_ITEMS)
    throw exceeds(selectionSize, { code: 'evidence_not_usable', size: count, max: EVIDENCE_ITEMS })
  const superseded = evidence.filter(({ supersededById }) => supersededById !== null)
  if (superseded.length > 0)
    throw notUsable(superseded, 'A newer observation replaces this one. Choose the newer observation.')
}

function requireDataClasses(evidence: readonly Evidence[], { content: { dataClasses } }: Enabled): void {
  const refused = evidence.filter(({ field }) => !dataClasses.includes(field === null ? 'observations' : 'claims'))
  if (refused.length === 0) return
  throw new AppError(
    'data_class_not_allowed',
    `The policy permits ${listed(dataClasses)} only. Leave the other observations out.`,
    { errors: about(refused, 'data_class_not_allowed', 'The policy does not allow this kind of data.') },
  )
}

/** An observation with what the rules read in it. */
type ReadEvidence = { one: Evidence; hash: string; examined: ExaminedEvidence }

function readOf(evidence: readonly Evidence[], examined: Examined): ReadEvidence[] {
  const read = evidence.map((one) => {
    const hash = contentHashOf(one)
    return { one, hash, examined: examined.get(hash) }
  })
  const isRead = (item: (typeof read)[number]): item is ReadEvidence => item.examined !== undefined
  const changed = read.filter((item) => !isRead(item)).map(({ one }) => one)
  if (changed.length > 0) throw notUsable(changed, 'This evidence changed in the meantime. Preview again.')
  return read.filter(isRead)
}

async function requireUnsuppressed(view: CheckView, read: readonly ReadEvidence[]): Promise<void> {
  // An observation with too many contact values is withheld, so the gate is not asked about it.
  const asked = read.flatMap(({ one, examined }) => (examined.contacts ?? []).map((value) => ({ one, value })))
  const matches = await gate(
    view,
    view.tenantId,
    asked.map(({ value }) => value),
  )
  const suppressed = [...new Set(matches.flatMap(({ index }) => asked[index]?.one ?? []))]
  if (suppressed.length === 0) return
  throw new AppError(
    'suppressed',
    'This evidence contains an address or number from the do-not-contact list. Leave this evidence out.',
    {
      errors: about(suppressed, 'suppressed', 'An address or number in this evidence is on the do-not-contact list.'),
    },
  )
}

function redactAll(read: readonly ReadEvidence[], { content: { dataClasses } }: Enabled) {
  const items: SentItem[] = []
  const redactions: CheckedSelection['redactions'] = []
  const withheld: CheckedSelection['withheld'] = []
  const sendsText = dataClasses.includes('observations')
  for (const { one, hash, examined } of read) {
    const { value, sourceLabel: source } = examined
    const text = sendsText ? examined.observation : null
    const parts = [value, text, source].filter((part) => part !== null)
    for (const [kind, count] of totals(parts)) redactions.push({ evidenceId: one.id, kind, count })
    const ofParts = parts.map((part) => part.withheld).find((why) => why !== null)
    const reason = examined.contacts === undefined ? 'too_many_values' : ofParts
    if (reason !== undefined) {
      withheld.push({ evidenceId: one.id, reason })
      continue
    }
    const prompt: PromptItem = {
      item: `E${items.length + 1}`,
      ...(one.field === null || value === null ? {} : { field: one.field, value: value.text }),
      ...(text === null ? {} : { text: text.text }),
      source: source?.text ?? null,
      captured: dayOf(one.capturedOn, one.capturedAt),
      observed: one.observedAt === null ? null : dayOf(one.observedOn, one.observedAt),
      confidence: one.confidence,
    }
    items.push({ evidence: one, hash, prompt })
  }
  return { items, redactions, withheld }
}

function totals(parts: readonly Redacted[]): Map<RedactionKind, number> {
  const sums = new Map<RedactionKind, number>()
  for (const { counts } of parts) for (const [kind, count] of counts) sums.set(kind, (sums.get(kind) ?? 0) + count)
  return sums
}

function dayOf(on: string | null, at: string): string {
  return on ?? at.slice(0, 10)
}

function requireNoInstructions(read: readonly ReadEvidence[]): void {
  const suspected = read.filter(({ examined }) => examined.isSuspected).map(({ one }) => one)
  if (suspected.length === 0) return
  throw new AppError(
    'injection_suspected',
    'Some evidence looks like instructions for an AI. Leave the marked observations out.',
    { errors: about(suspected, 'injection_suspected', 'This evidence looks like instructions for an AI.') },
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
