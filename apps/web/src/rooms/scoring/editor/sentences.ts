/** Rules and requirements as sentences in the words of the API, also while they are edited. */
import type { ScoringContent, ScoringSignal } from '@prospect/api-client'
import { countWords } from '../../../ui/text/count-words.ts'
import { formatPoints } from '../../../ui/text/format.ts'

type Condition = Omit<ScoringContent['gates'][number], 'kind'>

/** Sentences of all rules and requirements by id. */
export function sentencesOf({ groups, gates }: ScoringContent, signals: readonly ScoringSignal[]) {
  const words: Record<string, string> = {}
  for (const { rules } of groups)
    for (const rule of rules)
      words[rule.id] =
        `${conditionWords(rule, signals)}: ${rule.points > 0 ? '+' : ''}${formatPoints(rule.points)} points`
  for (const gate of gates)
    words[gate.id] = `${gate.kind === 'requires' ? 'Requires' : 'Excludes'} ${conditionWords(gate, signals)}`
  return words
}

function conditionWords(condition: Condition, signals: readonly ScoringSignal[]): string {
  const signal = signals.find(({ key }) => key === condition.signal)
  if (signal === undefined) return `An unknown signal (${condition.signal})`
  return [`${signal.title}${questionWords(condition, signal)}`, ...evidenceWords(condition)].join('; ')
}

export const operatorWords: Readonly<Record<Condition['op'], string>> = {
  is: 'is',
  one_of: 'is one of',
  none_of: 'is none of',
  has_any: 'include any of',
  at_least: 'at least',
  at_most: 'at most',
  is_true: 'is stated',
}

function questionWords({ op, value }: Condition, { choices }: ScoringSignal): string {
  const labels = (Array.isArray(value) ? value : [value ?? '']).map(
    (one) => choices?.find((choice) => choice.value === one)?.label ?? String(one),
  )
  switch (op) {
    case 'is_true':
      return ' is stated'
    case 'at_least':
    case 'at_most':
      return `: ${operatorWords[op]} ${value ?? '?'}`
    default:
      return ` ${operatorWords[op]} ${labels.join(', ') || '?'}`
  }
}

function evidenceWords({ freshDays, expireDays, minConfidence }: Condition): string[] {
  return [
    ...(minConfidence === undefined
      ? []
      : [`evidence of ${minConfidence}${minConfidence === 'high' ? '' : ' or higher'} confidence`]),
    ...(freshDays === undefined ? [] : [`fresh for ${countWords(freshDays, 'day', 'days')}`]),
    ...(expireDays === undefined ? [] : [`expires after ${countWords(expireDays, 'day', 'days')}`]),
  ]
}
