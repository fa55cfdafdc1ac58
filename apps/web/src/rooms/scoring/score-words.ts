/** Texts about scores. A range is never shown as one number, and an unknown score never as zero. */
import type { ExplainedScore, ScoreChange, ScoredRule } from '@prospect/api-client'
import type { ScoreBands } from '../../ui/prospects/active-scoring.ts'
import { bandName, eligibilityWords } from '../../ui/prospects/score-words.ts'
import { countWords, plural } from '../../ui/text/count-words.ts'
import { formatPoints } from '../../ui/text/format.ts'

/** Formats as '+12', '−3' or '0 to +8'. */
export function pointWords(low: number, high: number): string {
  return low === high ? signed(low) : `${signed(low)} to ${signed(high)}`
}

function signed(points: number): string {
  if (points === 0) return '0'
  return `${points < 0 ? '−' : '+'}${formatPoints(Math.abs(points))}`
}

/** Formats as 'Priority B, possibly A'. */
export function priorityWords(
  bands: ScoreBands,
  { priority, reachable }: Pick<ExplainedScore, 'priority' | 'reachable'>,
) {
  if (priority === null) return null
  const words = `Priority ${bandName(bands, priority)}`
  return reachable === null || reachable === priority ? words : `${words}, possibly ${bandName(bands, reachable)}`
}

type Range = Pick<ExplainedScore, 'rules'> & { low: number; high: number }

/** Explains a range: 'At least 45 points are certain; 2 open checks could add 35.' A check is open while its rule is undecided. */
export function certaintyWords({ low, high, rules }: Range): string {
  const certain = formatPoints(low)
  if (low === high) return `All ${certain} points are certain. No open check can change the score.`
  const open = rules.filter((rule) => rule.low !== rule.high).length
  const checks = countWords(open, 'open check', 'open checks')
  return `At least ${certain} ${plural(low, 'point is', 'points are')} certain. ${checks} could add ${formatPoints(high - low)} points.`
}

/** Formats as 'Eligible' or 'Eligibility unknown'. */
export function eligibilityPhrase(eligibility: string): string {
  if (eligibility === 'unknown') return 'Eligibility unknown'
  return Object.entries(eligibilityWords).find(([key]) => key === eligibility)?.[1] ?? eligibility
}

export const scoreReasonWords: Readonly<Record<NonNullable<ExplainedScore['reason']>, string>> = {
  record_changed: 'The record changed. You see the earlier score until the new score is computed.',
  time_passed: 'Some evidence has become old since this score was computed. A new score follows soon.',
  recalculation_needed: 'The scoring method changed. This score is used until all scores are recalculated.',
  do_not_contact: 'This prospect is marked do not contact, so it has no score.',
  no_active_scores: 'No scores are active in this workspace.',
  new_record: 'This prospect is new. Its score follows soon.',
  could_not_be_scored: 'This prospect could not be scored in the last recalculation.',
  record_ended: 'Only active prospects have scores.',
}

export const evidenceStateWords: Readonly<Record<ScoredRule['state'], string>> = {
  current: 'Current',
  stated: 'On the record, without evidence',
  stale: 'Stale',
  expired: 'Expired',
  partial: 'Partial',
  uncertain: 'Uncertain',
  missing: 'Missing',
  blocked: 'Blocked',
}

/** Result of a rule or gate: true, false, or why it is undecided. */
export function resultWords(holds: boolean | null, stateWords: string): string {
  if (holds === null) return `Cannot tell yet. ${stateWords}`
  return holds ? 'Met.' : 'Not met.'
}

export const causeWords: Readonly<Record<ScoreChange['cause'], string>> = {
  record_changed: 'The record changed',
  time_passed: 'Evidence became old',
  activation: 'Scores were activated',
}

/** Formats as 'priority A from 82, eligible'. */
export function resultOf(bands: ScoreBands, side: NonNullable<ScoreChange['from']>): string {
  const words = eligibilityPhrase(side.eligibility).toLowerCase()
  if (side.priority === null) return words
  const from = side.low === null ? '' : ` from ${formatPoints(side.low)}`
  return `priority ${bandName(bands, side.priority)}${from}, ${words}`
}
