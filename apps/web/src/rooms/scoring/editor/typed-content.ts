/** Content of a draft while it is edited: numbers may be blank or unreadable. */
import type { ScoringContent, ScoringSignal, ScoringVersion } from '@prospect/api-client'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { type NumberRange, type NumberValue, numberOf, numberProblems } from '../../../ui/text/typed-number.ts'
import { type RequiredEvidence, requiredEvidenceOf } from '../rule-sets/content-words.ts'

const { scoringPoints, scoringDayCount } = inputLimits
export const pointRange = { min: -scoringPoints, max: scoringPoints, decimals: 2 }
export const bandRange = { min: 0, max: 100 }
export const valueRange = { min: 0, max: 1_000_000 }
export const dayRange = { min: 1, max: scoringDayCount }

type Op = ScoringContent['gates'][number]['op']
type Confidence = NonNullable<ScoringContent['gates'][number]['minConfidence']>

export type TypedCondition = {
  id: string
  signal: string
  op: Op
  /** Value of operators that compare with words. */
  words: string[]
  /** Value of operators that compare with a number. */
  number: NumberValue
  freshDays: NumberValue
  expireDays: NumberValue
  minConfidence: Confidence | null
}
export type TypedRule = TypedCondition & { points: NumberValue }
export type TypedGate = TypedCondition & { kind: 'requires' | 'excludes' }
export type TypedGroup = { id: string; name: string; min: NumberValue; max: NumberValue; rules: TypedRule[] }
export type TypedBand = { id: string; name: string; from: NumberValue }
export type TypedContent = Pick<ScoringContent, 'straddling' | 'rounding' | 'tieBreak'> & {
  groups: TypedGroup[]
  gates: TypedGate[]
  bands: TypedBand[]
  requiredEvidence: RequiredEvidence
}

/** Values of the editor. Their paths are those of the API, except for the value of a condition (`fieldOf`). */
export type RuleValues = { content: TypedContent; rollbackPlan: string }

export const ruleValues = ({ content, rollbackPlan }: ScoringVersion): RuleValues => ({
  content: typedContent(content),
  rollbackPlan: rollbackPlan ?? '',
})

/** Returns true for content that has the lists of this editor. A draft of an earlier version of the editor may not have them. */
export const isTypedContent = (stored: unknown): stored is TypedContent =>
  typeof stored === 'object' && stored !== null && ['groups', 'gates', 'bands'].every((list) => list in stored)

/** Returns the field that shows the error of an API path: the value of a condition is a number or words, and the id of a band has no field. */
export function fieldOf(path: string, { content }: RuleValues): string | undefined {
  if (path === 'rollbackPlan') return path
  if (!path.startsWith('content.')) return undefined
  if (path.startsWith('content.bands.')) return path.replace(/\.id$/, '.name')
  const part = partAt(content, path)
  return part === undefined
    ? path
    : path.replace(/\.value(\.\d+)?$/, comparesNumber(part.condition) ? '.number' : '.words')
}

type PartAt = { noun: 'rule'; condition: TypedRule } | { noun: 'requirement'; condition: TypedGate }

/** Returns the rule or requirement that contains a path, if there is one. */
export function partAt({ groups, gates }: TypedContent, path: string): PartAt | undefined {
  const [, list, at, , place] = /^content\.(groups|gates)\.(\d+)(\.rules\.(\d+))?/.exec(path) ?? []
  if (list === 'gates') {
    const gate = gates[Number(at)]
    return gate && { noun: 'requirement', condition: gate }
  }
  const rule = groups[Number(at)]?.rules[Number(place)]
  return rule && { noun: 'rule', condition: rule }
}

/** Key of a part in the editor: 'rule phone', 'requirement open'. */
export const partKey = (noun: PartAt['noun'], { id }: TypedCondition): string => `${noun} ${id}`

/** Errors of the API by field. */
export const atFields = (errors: FieldErrors, values: RuleValues): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([path, message]) => [fieldOf(path, values) ?? path, message]))

export const comparesNumber = ({ op }: TypedCondition): boolean => op === 'at_least' || op === 'at_most'

function typedContent({
  groups,
  gates,
  bands,
  straddling,
  rounding,
  tieBreak,
  ...content
}: ScoringContent): TypedContent {
  return {
    groups: groups.map(({ rules, ...group }) => ({
      ...group,
      rules: rules.map((rule) => ({ ...typedCondition(rule), points: rule.points })),
    })),
    gates: gates.map((gate) => ({ ...typedCondition(gate), kind: gate.kind })),
    bands,
    straddling,
    rounding,
    tieBreak,
    requiredEvidence: requiredEvidenceOf(content),
  }
}

function typedCondition(condition: ScoringContent['gates'][number] | TypedSource): TypedCondition {
  const { id, signal, op, value, freshDays = '', expireDays = '', minConfidence = null } = condition
  return {
    id,
    signal,
    op,
    freshDays,
    expireDays,
    minConfidence,
    words: typeof value === 'string' ? [value] : Array.isArray(value) ? value : [],
    number: typeof value === 'number' ? value : '',
  }
}
type TypedSource = ScoringContent['groups'][number]['rules'][number]

/** Converts to the API's form. Blank and unreadable numbers are omitted; `missingIn` reports the required and the unreadable ones. */
export function contentOf({ groups, gates, bands, requiredEvidence, ...settings }: TypedContent): ScoringContent {
  return {
    groups: groups.map(({ rules, min, max, ...group }) => ({
      ...group,
      min: numberOf(min, pointRange) ?? 0,
      max: numberOf(max, pointRange) ?? 0,
      rules: rules.map((rule) => ({ ...conditionOf(rule), points: numberOf(rule.points, pointRange) ?? 0 })),
    })),
    gates: gates.map((gate) => ({ ...conditionOf(gate), kind: gate.kind })),
    bands: bands.map(({ from, ...band }) => ({ ...band, from: numberOf(from) ?? 0 })),
    ...settings,
    ...(requiredEvidence !== 'none' && { requiredEvidence }),
    suppression: 'first',
  }
}

function conditionOf({ id, signal, op, words, number, freshDays, expireDays, minConfidence }: TypedCondition) {
  return {
    id,
    signal,
    op,
    ...comparedValue(op, words, number),
    ...optionalNumber('freshDays', freshDays),
    ...optionalNumber('expireDays', expireDays),
    ...(minConfidence !== null && { minConfidence }),
  }
}

function optionalNumber<Name extends string>(name: Name, typed: NumberValue): { [Key in Name]?: number } {
  const number = numberOf(typed)
  return number === null ? {} : ({ [name]: number } as Record<Name, number>)
}

function comparedValue(op: Op, words: string[], number: NumberValue): { value?: string | number | string[] } {
  switch (op) {
    case 'is_true':
      return {}
    case 'at_least':
    case 'at_most':
      return optionalNumber('value', number)
    case 'is':
      return words[0] === undefined ? {} : { value: words[0] }
    default:
      return { value: words }
  }
}

export type FieldErrors = Readonly<Record<string, string>>

/** Errors for blank fields that the API requires, and for wrong numbers, by their field. */
export function missingIn({ groups, gates, bands }: TypedContent): FieldErrors {
  const errors: Record<string, string> = {}
  const requireName = (name: string, path: string) => {
    if (name.trim() === '') errors[`content.${path}.name`] = 'Enter a name.'
  }
  const check = <Field extends string>(
    values: Record<NoInfer<Field>, NumberValue>,
    ranges: Ranges<Field>,
    path: string,
  ) => {
    for (const [field, problem] of Object.entries(numberProblems(values, ranges)))
      errors[`content.${path}.${field}`] = String(problem)
  }
  for (const [at, group] of groups.entries()) {
    requireName(group.name, `groups.${at}`)
    check(group, { min: pointRange, max: pointRange }, `groups.${at}`)
    for (const [place, rule] of group.rules.entries()) {
      const path = `groups.${at}.rules.${place}`
      check(rule, { points: pointRange }, path)
      check(conditionNumbers(rule), conditionRanges, path)
    }
  }
  for (const [at, gate] of gates.entries()) check(conditionNumbers(gate), conditionRanges, `gates.${at}`)
  for (const [at, band] of bands.entries()) {
    requireName(band.name, `bands.${at}`)
    check(band, { from: bandRange }, `bands.${at}`)
  }
  return errors
}

type Ranges<Field extends string> = Record<Field, NumberRange & { isOptional?: boolean }>

const conditionRanges = {
  number: { ...valueRange, isOptional: true },
  freshDays: { ...dayRange, isOptional: true },
  expireDays: { ...dayRange, isOptional: true },
}

/** Numbers of a condition. Whether an operator requires its value is reported by the API. */
const conditionNumbers = (condition: TypedCondition) => ({
  number: comparesNumber(condition) ? condition.number : '',
  freshDays: condition.freshDays,
  expireDays: condition.expireDays,
})

/** Returns an unused id, such as 'rule-3'. */
export function newPartId(kind: string, taken: readonly { id: string }[]): string {
  const ids = new Set(taken.map(({ id }) => id))
  let number = taken.length + 1
  while (ids.has(`${kind}-${number}`)) number += 1
  return `${kind}-${number}`
}

export const rulesOf = ({ groups }: TypedContent): TypedRule[] => groups.flatMap(({ rules }) => rules)

/** Returns a condition on a signal with its first operator and no value. */
export function newCondition(id: string, signal: ScoringSignal): TypedCondition {
  const [op = 'is'] = signal.operators as Op[]
  return { id, signal: signal.key, op, words: [], number: '', freshDays: '', expireDays: '', minConfidence: null }
}

/** Moves a condition to another signal and keeps only settings that fit it. */
export function withSignal(condition: TypedCondition, signal: ScoringSignal): TypedCondition {
  const fits = signal.operators.includes(condition.op)
  const fresh = newCondition(condition.id, signal)
  return {
    ...fresh,
    ...(fits && { op: condition.op, number: condition.number }),
    ...(signal.datedBy !== null && { freshDays: condition.freshDays, expireDays: condition.expireDays }),
    ...(signal.restsOnEvidence && { minConfidence: condition.minConfidence }),
  }
}
