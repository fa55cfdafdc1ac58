import { numeral } from '../../../lib/numeral.ts'
import { findSignal } from '../signals/all-signals.ts'
import type { Signal } from '../signals/signal.ts'
import type { Condition, Gate, Rule } from './content.ts'

/** Describes a condition in English, for example 'Phones: at least 1; evidence of medium confidence or better, at most 180 days old'. */
export function conditionWords(condition: Condition): string {
  const signal = findSignal(condition.signal)
  if (signal === undefined) return `An unknown signal (${condition.signal})`
  return [`${signal.title}${questionWords(signal, condition)}`, ...evidenceWords(condition)].join('; ')
}

/** Describes a rule in English, for example 'Phones: at least 1: +10 points'. */
export function ruleWords(rule: Rule): string {
  return `${conditionWords(rule)}: ${rule.points > 0 ? '+' : ''}${numeral(rule.points)} points`
}

export function gateWords(gate: Gate): string {
  return `${gate.kind === 'requires' ? 'Requires' : 'Excludes'} ${conditionWords(gate)}`
}

function questionWords(signal: Signal, { op, value }: Condition): string {
  const labels = (Array.isArray(value) ? value : [value ?? '']).map((one) => labelOf(signal, String(one)))
  switch (op) {
    case 'is':
      return ` is ${labels[0]}`
    case 'one_of':
      return ` is one of ${labels.join(', ')}`
    case 'none_of':
      return ` is none of ${labels.join(', ')}`
    case 'has_any':
      return ` include any of ${labels.join(', ')}`
    case 'at_least':
      return `: at least ${comparedNumber(value)}`
    case 'at_most':
      return `: at most ${comparedNumber(value)}`
    case 'is_true':
      return ' is stated'
  }
}

const comparedNumber = (value: Condition['value']) => (typeof value === 'number' ? numeral(value) : '?')

function labelOf({ choices }: Signal, value: string): string {
  return choices?.find((choice) => choice.value === value)?.label ?? value
}

function evidenceWords({ freshDays, expireDays, minConfidence }: Condition): string[] {
  return [
    ...(minConfidence === undefined
      ? []
      : [`evidence of ${minConfidence}${minConfidence === 'high' ? '' : ' or higher'} confidence`]),
    ...(freshDays === undefined ? [] : [`fresh for ${numeral(freshDays)} days`]),
    ...(expireDays === undefined ? [] : [`expires after ${numeral(expireDays)} days`]),
  ]
}
