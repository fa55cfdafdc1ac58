import type { ErrorCode } from '../../../lib/app-error.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { BudgetRefusal } from '../budgets/budgets.rules.ts'
import { budgetRefusal } from '../budgets/budgets.ts'
import type { Preview } from '../suggestions/suggestions.schema.ts'
import { type CheckView, checkSelection, examineSelection, type Selection, tooLarge } from './check-selection.ts'

/**
 * The exact bytes that would be sent for a selection, what was redacted and what was withheld. Reserves and stores nothing. What is too
 * large or does not fit a budget is `blocked`. Errors: as `examineSelection` and `checkSelection`.
 */
export async function previewSelection(view: CheckView, selection: Selection): Promise<Preview> {
  const examined = await examineSelection(view, 'requests', selection)
  const checked = await checkSelection(view, selection, { examined })
  const { redactions, withheld, sealed } = checked
  const about = { redactions, withheld }
  if (sealed === undefined) {
    const { code, message } = tooLarge(checked)
    return { ...about, ...blockedBy(code, message), bytes: 0, reservation: { tokens: 0, cost: 0 } }
  }
  const { content, contentHash, reservation } = sealed
  const bytes = Buffer.byteLength(content)
  const refused = await budgetRefusal(view, checked.ready, reservation)
  if (refused !== undefined)
    return { ...about, ...blockedBy('budget_exhausted', budgetSentence(refused)), bytes, reservation }
  return { ...about, content, contentHash, bytes, reservation, blocked: null }
}

function blockedBy(code: ErrorCode, detail: string) {
  return { content: null, contentHash: null, blocked: { code, detail, evidenceIds: [] } }
}

const windowWords: Record<BudgetRefusal['window'], string> = {
  calls_per_minute: 'calls per minute',
  calls_per_day: 'calls per day',
  tokens_per_day: 'tokens per day',
  cost_per_day: 'costs per day',
  cost_per_month: 'costs per month',
  concurrent_calls: 'calls at the same time',
}

/** Names the exhausted budget, its owner, and the end of its period. */
function budgetSentence({ by, window, until }: BudgetRefusal): string {
  const whose = by === 'workspace' ? 'of this workspace' : 'of the server operator'
  const when = until === null ? 'Try again when a running call has ended.' : `Try again after ${until}.`
  return `The limit ${whose} for ${windowWords[window]} leaves no room for this request. ${when}`
}

export function budgetError(refusal: BudgetRefusal): AppError {
  const message = budgetSentence(refusal)
  return new AppError('budget_exhausted', message, {
    errors: [{ path: refusal.window, code: refusal.by, message }],
    ...(refusal.until === null ? {} : { reason: refusal.until }),
  })
}
