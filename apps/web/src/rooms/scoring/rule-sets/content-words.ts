/** Texts for the parts of a version's content. */
import type { ScoringContent, ScoringGroup } from '@prospect/api-client'
import { formatNumber } from '../../../ui/text/format.ts'
import { pointWords } from '../score-words.ts'

export const straddlingWords: Readonly<Record<ScoringContent['straddling'], string>> = {
  lowest: 'If a score range covers several bands, the priority is the lowest band.',
  unknown: 'If a score range covers several bands, the priority is Unknown.',
}

export type RequiredEvidence = NonNullable<ScoringContent['requiredEvidence']> | 'none'

type Requirement = Pick<ScoringContent, 'requiredEvidence'>

export const requiredEvidenceOf = ({ requiredEvidence }: Requirement): RequiredEvidence => requiredEvidence ?? 'none'

export const requiredEvidenceWords: Readonly<Record<RequiredEvidence, string>> = {
  none: 'A value on the record counts even without evidence.',
  low: 'Every fact needs evidence.',
  medium: 'Every fact needs evidence of medium or high confidence.',
  high: 'Every fact needs evidence of high confidence.',
}

export const evidenceRuleWords = (content: Requirement): string => requiredEvidenceWords[requiredEvidenceOf(content)]

export const roundingWords: Readonly<Record<ScoringContent['rounding'], string>> = {
  half_up: 'Scores are rounded to the nearest number, halves upwards.',
  half_even: 'Scores are rounded to the nearest number, halves to the even number.',
  down: 'Scores are rounded down.',
}

export const tieBreakWords: Readonly<Record<ScoringContent['tieBreak'], string>> = {
  completeness: 'If scores are equal, the more complete prospect comes first.',
  newest_evidence: 'If scores are equal, the prospect with the newest evidence comes first.',
  oldest_record: 'If scores are equal, the oldest record comes first.',
  newest_record: 'If scores are equal, the newest record comes first.',
}

export const groupLimitWords = ({ min, max }: Pick<ScoringGroup, 'min' | 'max'>): string =>
  `counts from ${pointWords(min, min)} to ${pointWords(max, max)}`

export function bandWords(bands: ScoringContent['bands'], at: number): string {
  const { name = '', from = 0 } = bands[at] ?? {}
  const above = bands[at - 1]
  return `${name}: ${formatNumber(from)} to ${above === undefined ? '100' : `below ${formatNumber(above.from)}`}`
}
