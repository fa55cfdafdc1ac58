import { type Completion, MAX_CONCURRENT_CALLS } from '@prospect/adapter-contract/prompt'
import { AppError } from '../../../lib/app-error.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { fingerprint, sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { createTenantTurns, type Share } from '../../../lib/tenant-turns.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { askSource, type Outcome } from '../../sources/sources.ts'
import { usageOf } from '../budgets/budgets.rules.ts'
import { budgetRefusal, reserve, type Settled, settle } from '../budgets/budgets.ts'
import { findApproved } from '../policies/policies.queries.ts'
import { type Retention, retentions } from '../policies/policies.schema.ts'
import { type CheckedSelection, checkSelection, examineSelection, requireSealed } from '../prompts/check-selection.ts'
import { evidenceText } from '../prompts/compose-prompt.rules.ts'
import type { Examined } from '../prompts/examine.rules.ts'
import { examineAnswer } from '../prompts/run-examination.ts'
import { completionPurposes, wasPermitted } from './ask-for-completion.ts'
import { citableItems, quotableParts } from './citable-items.ts'
import type { Claim } from './claims.ts'
import { nonResultOf } from './non-results.data.ts'
import { viewOf } from './request-suggestion.ts'
import { changedEvidence, versionsOf } from './suggestion-state.ts'
import { findStored, insertExchange, type StoredSuggestion, updateResult } from './suggestions.queries.ts'
import type { Result, SuggestionUsage, Versions } from './suggestions.schema.ts'
import { type ExaminedAnswer, type Sent, validateAnswer } from './validate-answer.rules.ts'

/*
 * One suggestion, in the background. A call that was started is never repeated: a job whose process was lost ends the suggestion as
 * unavailable, and its reservation counts whole.
 */

/**
 * Calls of this process take turns, so that accepted requests wait instead of being refused. The bound over all processes is the count of open
 * reservations.
 */
const callTurns = createTenantTurns<Share>({ isFree: (_, running) => running.size < MAX_CONCURRENT_CALLS })

/** Runs an accepted request to its end. The result of the job names how the suggestion ended, and no text. */
export async function runSuggestion(context: JobContext, suggestionId: string): Promise<JsonObject> {
  const { store, tenantId } = context
  const stored = await findStored(store.reader, { tenantId, id: suggestionId })
  if (stored === undefined) return { suggestionId, state: 'not_found' }
  if (stored.state === 'running') return end(context, stored, [failedAsk('outcome_unknown')])
  if (stored.state !== 'queued') return { suggestionId, state: stored.state }
  await context.effect('start', { action: 'assist.start' }, (tx) => start(tx, stored))
  const asks = [await askOne(context, stored, { useFallback: false })]
  const [first] = asks
  if (first?.result?.kind === 'unavailable' && (await hasFallback(context, stored))) {
    await context.effect('fallback', { action: 'assist.fallback' }, (tx) => recordFallback(tx, stored, first.result))
    asks.push(await askOne(context, stored, { useFallback: true }))
  }
  return end(context, stored, asks)
}

async function start(tx: Tx, { id, businessId }: StoredSuggestion): Promise<null> {
  await updateResult(tx.db, { tenantId: tx.actor.tenantId, id }, { state: 'running', state_since: tx.at })
  await tx.record({ subject: { type: 'suggestion', id }, businessId })
  return null
}

/** One question to one source, and what it came to. */
type Ask = {
  isFallback: boolean
  checked: CheckedSelection | undefined
  /** a permit was taken: the call may have been made */
  sent: boolean
  answer: Completion | undefined
  /** the texts of the evidence and of the answer as the thread read them; undefined where it did not */
  read: { evidence: Examined; answer: ExaminedAnswer | undefined } | undefined
  /** why there is no answer; undefined if there is one, whose result comes from its validation */
  result: Result | undefined
}

function failedAsk(code: string, checked?: CheckedSelection, isFallback = false): Ask {
  return { isFallback, checked, sent: false, answer: undefined, read: undefined, result: nonResultOf(code) }
}

async function askOne(
  context: JobContext,
  stored: StoredSuggestion,
  { useFallback }: { useFallback: boolean },
): Promise<Ask> {
  const { store, adapters, tenantId, actor, signal, lineageId: jobId } = context
  const { reader: db, keys } = store
  const view = { db, keys, tenantId, at: store.clock().toISOString(), adapters }
  let examined: Examined
  let checked: CheckedSelection
  try {
    examined = await examineSelection(view, 'jobs', selectionOf(stored))
    checked = await checkSelection(view, selectionOf(stored), { examined, useFallback })
    requireSame(checked, stored, useFallback)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failedAsk(error.code, undefined, useFallback)
  }
  const items = await citableItems(view, checked)
  const unusable = items.filter(({ isStale, isContradicted }) => isStale || isContradicted)
  if (unusable.length === items.length)
    return failedAsk(
      items.every(({ isStale }) => isStale) ? 'evidence_stale' : 'evidence_contradicted',
      checked,
      useFallback,
    )
  const { prompt } = requireSealed(checked)
  const { sourceId } = checked.ready.source
  let refusedUntil: string | null = null
  const outcome = await callTurns.run(
    { tenantId },
    () =>
      askSource(
        { store, adapters, actor, signal, jobId },
        {
          sourceId,
          purpose: completionPurposes[stored.purpose],
          query: prompt,
          businessId: stored.businessId,
          maxAttempts: 1,
          prevents: async (tx) => {
            const refusal = await checkAndReserve(tx, context, stored, { examined, useFallback })
            refusedUntil = refusal?.until ?? null
            return refusal?.code
          },
        },
      ),
    { signal },
  )
  return readOutcome(outcome, {
    tenantId,
    checked,
    examined,
    isFallback: useFallback,
    refusedUntil,
    sent: await wasPermitted(store.reader, tenantId, outcome),
  })
}

function selectionOf({ businessId, purpose, evidence }: StoredSuggestion) {
  return { businessId, purpose, evidenceIds: evidence.map(({ evidenceId }) => evidenceId) }
}

/** A fallback has another model, and so other bytes; its evidence must be the same. Errors: `evidence_not_usable`, `preview_changed`. */
function requireSame(checked: CheckedSelection, stored: StoredSuggestion, useFallback: boolean): void {
  if (checked.evidenceHash !== stored.evidenceHash)
    throw new AppError('evidence_not_usable', 'The evidence changed since the preview.')
  const { contentHash } = requireSealed(checked)
  if (!useFallback && contentHash !== stored.contentHash)
    throw new AppError('preview_changed', 'The text to send is no longer the text of the preview.')
}

/** All checks once more, and the reservation, in the change that takes the permit. */
async function checkAndReserve(
  tx: Tx,
  { adapters }: JobContext,
  stored: StoredSuggestion,
  options: { examined: Examined; useFallback: boolean },
): Promise<{ code: string; until: string | null } | undefined> {
  const view = viewOf(tx, adapters)
  try {
    const checked = await checkSelection(view, selectionOf(stored), options)
    requireSame(checked, stored, options.useFallback)
    const { reservation } = requireSealed(checked)
    const refused = await budgetRefusal(view, checked.ready, reservation)
    if (refused !== undefined) {
      const code = refused.window === 'concurrent_calls' ? 'too_many_calls' : 'budget_exhausted'
      return { code, until: refused.until }
    }
    const adapterId = checked.ready.source.adapter.id
    await reserve(tx, { suggestionId: stored.id, adapterId, reservation })
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, until: null }
  }
}

async function readOutcome(
  outcome: Outcome<Completion, unknown>,
  about: {
    tenantId: string
    checked: CheckedSelection
    examined: Examined
    isFallback: boolean
    refusedUntil: string | null
    sent: boolean
  },
): Promise<Ask> {
  const { tenantId, checked, examined, isFallback, refusedUntil, sent } = about
  const [answer] = outcome.answers
  if (answer !== undefined) {
    const read = { evidence: examined, answer: await examineAnswer(tenantId, answer, sentOf(checked)) }
    return { isFallback, checked, sent, answer, read, result: undefined }
  }
  const until = outcome.outcome === 'deferred' ? outcome.until : refusedUntil
  const reason = outcome.reason ?? 'answer_invalid'
  return { isFallback, checked, sent, answer: undefined, read: undefined, result: nonResultOf(reason, until) }
}

function sentOf({ receipt, items }: CheckedSelection): Sent {
  const prompts = items.map(({ prompt }) => prompt)
  return { receipt, input: evidenceText(prompts), items: quotableParts(prompts) }
}

async function hasFallback({ store, tenantId }: JobContext, { policyId }: StoredSuggestion): Promise<boolean> {
  const policy = await findApproved(store.reader, tenantId, store.clock().toISOString())
  return policy?.id === policyId && policy.fallbackSourceId !== undefined
}

async function recordFallback(tx: Tx, { id, businessId }: StoredSuggestion, result: Result | undefined): Promise<null> {
  await updateResult(tx.db, { tenantId: tx.actor.tenantId, id }, { fallback_used: 1 })
  await tx.record({
    subject: { type: 'suggestion', id },
    businessId,
    after: { because: result?.reason ?? null },
  })
  return null
}

type Ended = { result: Result; claims: Claim[]; versions: Versions | null; sourceId: string | null }

async function end(context: JobContext, stored: StoredSuggestion, asks: readonly Ask[]): Promise<JsonObject> {
  return context.effect('end', { action: 'assist.no_result' }, async (tx) => {
    const { id, businessId } = stored
    const key = { tenantId: tx.actor.tenantId, id }
    const spent = await settle(tx, id, asks.flatMap(settlementOf))
    // An erasure during the call emptied the hashes of the request.
    const { evidenceHash = '' } = (await findStored(tx.db, key)) ?? {}
    for (const ask of asks) await storeExchange(tx, id, ask, { isErased: evidenceHash === '' })
    const last = asks.at(-1)
    const ended = last === undefined ? failed('outcome_unknown') : await judge(tx, context, stored, last)
    const { result, claims, versions, sourceId } = ended
    const state = result.kind === 'full' ? 'proposed' : 'no_result'
    const isReported = asks.every(({ sent, answer }) => !sent || answer?.usage != null)
    const usage: SuggestionUsage = { tokens: spent.tokens, cost: spent.cost, reported: isReported }
    await updateResult(tx.db, key, {
      state,
      result: JSON.stringify(result),
      claims: JSON.stringify(claims),
      fingerprint: fingerprint({ result, claims, evidenceHash, versions }),
      versions: versions === null ? null : JSON.stringify(versions),
      source_id: sourceId,
      usage: JSON.stringify(usage),
      proposed_at: state === 'proposed' ? tx.at : null,
      state_code: result.reason,
      state_since: tx.at,
    })
    await tx.record({
      action: state === 'proposed' ? 'assist.propose' : 'assist.no_result',
      subject: { type: 'suggestion', id },
      businessId,
      after: { kind: result.kind, reason: result.reason, claims: claims.length, dropped: result.dropped, ...usage },
    })
    return { suggestionId: id, state, kind: result.kind, reason: result.reason }
  })
}

function settlementOf({ checked, sent, answer }: Ask): Settled[] {
  if (checked === undefined) return []
  const used = usageOf(answer?.usage ?? null, checked.ready.content.prices)
  return [{ adapterId: checked.ready.source.adapter.id, sent, used }]
}

/** Stores sent and received bytes for as long as the retention class of the policy allows. For an erased record it stores neither the bytes nor their hash. */
async function storeExchange(
  tx: Tx,
  suggestionId: string,
  { checked, sent, answer }: Ask,
  { isErased }: { isErased: boolean },
): Promise<void> {
  if (!sent || checked === undefined) return
  const retention = isErased ? 'none' : checked.ready.content.retention
  const store = (direction: 'sent' | 'received', body: string) =>
    insertExchange(tx.db, {
      tenant_id: tx.actor.tenantId,
      id: newId(),
      suggestion_id: suggestionId,
      direction,
      body: retentions[retention] === null ? null : body,
      bytes: Buffer.byteLength(body),
      sha256: isErased ? '' : sha256(body),
      at: tx.at,
      ...endOfRetention(tx.at, retention),
    })
  await store('sent', requireSealed(checked).content)
  if (answer !== undefined) await store('received', answer.received)
}

function endOfRetention(at: string, retention: Retention) {
  const days = retentions[retention]
  return days === null ? { delete_after: at, emptied_at: at } : { delete_after: daysAfter(at, days), emptied_at: null }
}

function failed(code: string): Ended {
  return { result: nonResultOf(code), claims: [], versions: null, sourceId: null }
}

/** Validates the answer in this change, which reads evidence, policy, source and record again. */
async function judge(tx: Tx, { adapters }: JobContext, stored: StoredSuggestion, ask: Ask): Promise<Ended> {
  const { checked, read, result, isFallback } = ask
  if (checked === undefined) return { ...failed('outcome_unknown'), ...(result === undefined ? {} : { result }) }
  const { source, policy } = checked.ready
  const versions = versionsOf(source, adapters, policy.version) ?? null
  const about = { versions, sourceId: source.sourceId }
  if (result !== undefined || read === undefined)
    return { result: result ?? nonResultOf('answer_invalid'), claims: [], ...about }
  const view = viewOf(tx, adapters)
  const none = (code: string): Ended => ({ result: nonResultOf(code), claims: [], ...about })
  const changed = await changedEvidence(view, stored.businessId, stored.evidence)
  if (changed !== undefined) return none('evidence_changed')
  try {
    await checkSelection(view, selectionOf(stored), { examined: read.evidence, useFallback: isFallback })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return none(error.code)
  }
  if (read.answer === undefined) return none('answer_not_examined')
  const validated = validateAnswer(read.answer, await citableItems(view, checked))
  if (validated.kind === 'rejected') return none(validated.reason)
  const { claims } = validated
  const dropped = [...validated.dropped].map(([reason, count]) => ({ reason, count }))
  if (claims.length === 0) return { ...none('no_claim_passed'), result: { ...nonResultOf('no_claim_passed'), dropped } }
  return { result: resultOf(dropped), claims, ...about }
}

function resultOf(dropped: Result['dropped']): Result {
  const common = { retryAfter: null, dropped }
  if (dropped.length === 0) return { kind: 'full', reason: null, detail: null, ...common }
  const count = dropped.reduce((sum, one) => sum + one.count, 0)
  return {
    kind: 'partial',
    reason: 'claims_dropped',
    detail: `${count} ${count === 1 ? 'claim was' : 'claims were'} removed. A partial result cannot be approved.`,
    ...common,
  }
}
