import type { Completion } from '@prospect/adapter-contract/prompt'
import { sealPrompt } from '@prospect/adapter-contract/seal-prompt'
import { AppError } from '../../../lib/app-error.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { askSource } from '../../sources/sources.ts'
import type { AssistPurpose } from '../assist.table.ts'
import { usageOf } from '../budgets/budgets.rules.ts'
import { budgetRefusal, reserve, settleReservation } from '../budgets/budgets.ts'
import { type CheckView, receiptOf, requireEnabled, sealFor } from '../prompts/check-selection.ts'
import { composePrompt, evidenceText, type PromptItem } from '../prompts/compose-prompt.rules.ts'
import { budgetError } from '../prompts/preview.ts'
import { examineAnswer } from '../prompts/run-examination.ts'
import { type Enabled, readStatus } from '../status/read-status.ts'
import { completionPurposes, wasPermitted } from '../suggestions/ask-for-completion.ts'
import { quotableParts } from '../suggestions/citable-items.ts'
import { nonResultOf } from '../suggestions/non-results.data.ts'
import { viewOf } from '../suggestions/request-suggestion.ts'
import { validateAnswer } from '../suggestions/validate-answer.rules.ts'

/*
 * A trial of the operator's provider: one request of the synthetic evidence below, under the checks, permit and budgets of a suggestion.
 * It reads no record of the workspace and stores no prompt and no answer.
 */

const syntheticEvidence: readonly PromptItem[] = [
  {
    ...{ item: 'E1', field: 'industry', value: 'Windpumps and boreholes' },
    ...{ source: 'Synthetic evidence', captured: '2026-01-01', observed: null, confidence: 'high' },
  },
  {
    ...{ item: 'E2', field: 'address.city', value: 'Graaff-Reinet' },
    ...{ source: 'Synthetic evidence', captured: '2026-01-01', observed: null, confidence: 'medium' },
  },
]

export type Trial = {
  /** `passed`: every claim of the answer is supported by its quotes */
  outcome: 'passed' | 'dropped' | 'failed'
  /** one sentence for the operator */
  detail: string
  claims: number
  model: string
  usage: { tokens: number; cost: number; reported: boolean }
}

/**
 * Sends one request of synthetic evidence to the provider of a workspace, and validates the answer. A call that was started is never
 * repeated, and its usage is settled as that of a suggestion. Errors: `assist_disabled`, `budget_exhausted`, before anything is sent.
 */
export async function tryProvider(
  { store, adapters }: { store: Store; adapters: LoadedAdapters },
  tenantId: string,
): Promise<Trial> {
  const actor = systemActor('command line', tenantId)
  const at = store.clock().toISOString()
  const prepared = await prepare({ db: store.reader, keys: store.keys, tenantId, at, adapters })
  const { ready, purpose, sealed } = prepared
  const { sourceId, adapter } = ready.source
  let reservationId: string | undefined
  const outcome = await askSource(
    { store, adapters, actor },
    {
      sourceId,
      purpose: completionPurposes[purpose],
      query: sealed.prompt,
      maxAttempts: 1,
      prevents: async (tx) => {
        try {
          const again = await prepare(viewOf(tx, adapters))
          if (again.sealed.contentHash !== sealed.contentHash) return 'preview_changed'
          reservationId = await reserve(tx, {
            suggestionId: null,
            adapterId: adapter.id,
            reservation: again.sealed.reservation,
          })
          return undefined
        } catch (error) {
          if (error instanceof AppError) return error.code
          throw error
        }
      },
    },
  )
  const [answer] = outcome.answers
  const sent = await wasPermitted(store.reader, tenantId, outcome)
  const used = usageOf(answer?.usage ?? null, ready.content.prices)
  const judged =
    answer === undefined ? failed(outcome.reason ?? 'answer_invalid') : await judge(tenantId, answer, prepared.receipt)
  const { value: spent } = await change(store, actor, { permission: null, action: 'assist.try' }, async (tx) => {
    const settled = { adapterId: adapter.id, sent, used }
    const counted =
      reservationId === undefined ? { tokens: 0, cost: 0 } : await settleReservation(tx, reservationId, settled)
    const { tokens, cost } = counted
    await tx.record({
      subject: { type: 'source', id: sourceId },
      after: { outcome: judged.outcome, reason: judged.reason, claims: judged.claims, tokens, cost },
    })
    return { tokens, cost }
  })
  const { outcome: result, detail, claims } = judged
  return { outcome: result, detail, claims, model: ready.details.model, usage: { ...spent, reported: used !== null } }
}

/** The checks of a suggestion that apply to synthetic evidence: status, size and budgets. Errors: `assist_disabled`, `budget_exhausted`. */
async function prepare(view: CheckView) {
  const { ready, purpose } = await requireAnyPurpose(view)
  const receipt = receiptOf(view, purpose, syntheticEvidence)
  const sealed = sealFor(ready, sealPrompt(composePrompt(purpose, receipt, syntheticEvidence)))
  const refused = await budgetRefusal(view, ready, sealed.reservation)
  if (refused !== undefined) throw budgetError(refused)
  return { ready, purpose, receipt, sealed }
}

/** Returns the first purpose that the policy permits. Errors: `assist_disabled`. */
async function requireAnyPurpose(view: CheckView): Promise<{ ready: Enabled; purpose: AssistPurpose }> {
  const { ready } = await readStatus(view)
  const purpose = ready?.content.purposes[0] ?? 'prospect_summary'
  return { ready: await requireEnabled(view, purpose), purpose }
}

type Judged = Pick<Trial, 'outcome' | 'detail' | 'claims'> & { reason: string | null }

function failed(code: string): Judged {
  return { outcome: 'failed', detail: nonResultOf(code).detail ?? code, claims: 0, reason: code }
}

async function judge(tenantId: string, answer: Completion, receipt: string): Promise<Judged> {
  const sent = { receipt, input: evidenceText(syntheticEvidence), items: quotableParts(syntheticEvidence) }
  const examined = await examineAnswer(tenantId, answer, sent)
  if (examined === undefined) return failed('answer_not_examined')
  const validated = validateAnswer(
    examined,
    syntheticEvidence.map((item) => ({
      item: item.item,
      evidenceId: item.item,
      hash: fingerprint(item),
      isCurrent: true,
      isStale: false,
      isContradicted: false,
    })),
  )
  if (validated.kind === 'rejected') return failed(validated.reason)
  const { claims, dropped } = validated
  const lost = [...dropped].map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
  if (claims.length === 0) return failed('no_claim_passed')
  if (lost.length === 0)
    return { outcome: 'passed', detail: 'Every claim of the answer passed.', claims: claims.length, reason: null }
  return {
    outcome: 'dropped',
    detail: `Some claims were dropped: ${lost.join(', ')}.`,
    claims: claims.length,
    reason: 'claims_dropped',
  }
}
