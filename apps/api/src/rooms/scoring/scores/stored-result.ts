import { eligibilities, NO_BAND, NO_SCORE, NOT_SCORED } from '../../../lib/score-codes.ts'
import type { Result } from '../rules/evaluate.rules.ts'
import type { ScoreTable } from '../scoring.table.ts'

export type StoredResult = Pick<
  ScoreTable,
  'eligibility' | 'low' | 'high' | 'priority' | 'reachable' | 'completeness' | 'tie' | 'holds_until'
>

export function storedOf(result: Result): StoredResult {
  const { eligibility, low, high, priority, reachable, completeness, tie, holdsUntil } = result
  return {
    eligibility: eligibilities.indexOf(eligibility),
    low: low ?? NO_SCORE,
    high: high ?? NO_SCORE,
    priority: priority ?? NO_BAND,
    reachable: reachable ?? NO_BAND,
    completeness,
    tie,
    holds_until: holdsUntil,
  }
}

export const notScored: StoredResult = {
  eligibility: NOT_SCORED,
  low: NO_SCORE,
  high: NO_SCORE,
  priority: NO_BAND,
  reachable: NO_BAND,
  completeness: 0,
  tie: 0,
  holds_until: null,
}

/** Returns the text of one score that enters the digest of a run. */
export function digestLine(
  businessId: string,
  { eligibility, low, high, priority, reachable, completeness }: StoredResult,
): string {
  return `${businessId} ${eligibility} ${low} ${high} ${priority} ${reachable} ${completeness}\n`
}
