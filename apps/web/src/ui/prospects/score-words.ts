/** Texts about scores. A range is never shown as one number, and an unknown score never as zero. */
import type { Score } from '@prospect/api-client'
import { formatNumber } from '../text/format.ts'
import type { ScoreBands } from './active-scoring.ts'

/** '82', or '74 to 91' while some evidence is undecided. */
export function rangeWords(low: number, high: number): string {
  return low === high ? formatNumber(low) : `${formatNumber(low)} to ${formatNumber(high)}`
}

export function bandName(bands: ScoreBands, id: string): string {
  return id === 'unknown' ? 'Unknown' : (bands.find((band) => band.id === id)?.name ?? id)
}

/** Short priority: 'At least B' if the highest possible score is in another band than the lowest. */
export function shortPriority(bands: ScoreBands, { priority, reachable }: Pick<Score, 'priority' | 'reachable'>) {
  if (priority === null) return null
  const name = bandName(bands, priority)
  return priority === 'unknown' || reachable === null || reachable === priority ? name : `At least ${name}`
}

export const eligibilityWords: Readonly<Record<NonNullable<Score['eligibility']>, string>> = {
  eligible: 'Eligible',
  ineligible: 'Ineligible',
  unknown: 'Unknown',
  blocked: 'Do not contact',
}

/** Status text of a score in a list; null if the score is current. */
export const scoreStatusWords: Readonly<Record<Score['status'], string | null>> = {
  scored: null,
  stale: 'Out of date',
  blocked: null,
  not_scored: 'Not scored',
}
