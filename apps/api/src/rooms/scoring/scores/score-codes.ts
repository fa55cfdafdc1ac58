import type { Band } from '../rules/content.ts'
import { UNKNOWN_PRIORITY } from '../rules/content.ts'
import { eligibilities, type Result } from '../rules/evaluate.rules.ts'
import type { ScoreTable } from '../scoring.table.ts'

/*
 * Stored codes of scores. The codes are small integers, so that a million scores fit into memory and a file.
 * - eligibility: 0 eligible, 1 unknown, 2 ineligible, 3 blocked, 4 not scored
 * - low, high: -1 none
 * - priority, reachable: index of the band, -1 unknown, -2 none
 */

export const BLOCKED = 3
export const NOT_SCORED = 4
export const NO_SCORE = -1
export const UNKNOWN_BAND = -1
export const NO_BAND = -2

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

/** Returns the id of a band, `unknown` if the priority is unknown, or null if the record has no score. */
export function bandId(bands: readonly Pick<Band, 'id'>[], place: number): string | null {
  if (place === NO_BAND) return null
  return place === UNKNOWN_BAND ? UNKNOWN_PRIORITY : (bands[place]?.id ?? null)
}

/** Returns the text of one score that enters the digest of a run. */
export function digestLine(
  businessId: string,
  { eligibility, low, high, priority, reachable, completeness }: StoredResult,
): string {
  return `${businessId} ${eligibility} ${low} ${high} ${priority} ${reachable} ${completeness}\n`
}
