/** The score of a prospect in words. A range is never one number, and an unknown is never zero. */
import type { Score } from '@prospect/api-client'
import { formatNumber } from '../text/format.ts'
import type { ScoreBands } from './active-scoring.ts'

/** '82', or '74 to 91' while evidence is undecided */
export function rangeWords(low: number, high: number): string {
  return low === high ? formatNumber(low) : `${formatNumber(low)} to ${formatNumber(high)}`
}

export function bandName(bands: ScoreBands, id: string): string {
  return id === 'unknown' ? 'Unknown' : (bands.find((band) => band.id === id)?.name ?? id)
}

/** 'At least B': the band of the lowest score, where the highest would be in another one. */
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

/** Of a score in a list, where it is not up to date. */
export const scoreStatusWords: Readonly<Record<Score['status'], string | null>> = {
  scored: null,
  stale: 'Out of date',
  blocked: null,
  not_scored: 'Not scored',
}
