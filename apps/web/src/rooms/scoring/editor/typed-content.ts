/** Content of a draft while it is edited: numbers may be blank. */
import type { ScoringContent, ScoringSignal, ScoringVersion } from '@prospect/api-client'

export type Typed = number | ''
type Op = ScoringContent['gates'][number]['op']
type Confidence = NonNullable<ScoringContent['gates'][number]['minConfidence']>

export type TypedCondition = {
  id: string
  signal: string
  op: Op
  /** Value of operators that compare with words. */
  words: string[]
  /** Value of operators that compare with a number. */
  number: Typed
  freshDays: Typed
  expireDays: Typed
  minConfidence: Confidence | null
}
export type TypedRule = TypedCondition & { points: Typed }
export type TypedGate = TypedCondition & { kind: 'requires' | 'excludes' }
export type TypedGroup = { id: string; name: string; min: Typed; max: Typed; rules: TypedRule[] }
export type TypedBand = { id: string; name: string; from: Typed }
export type TypedContent = Pick<ScoringContent, 'straddling' | 'rounding' | 'tieBreak'> & {
  groups: TypedGroup[]
  gates: TypedGate[]
  bands: TypedBand[]
}

/** `edit` is the revision of the stored draft on which the changes are based. */
export type TypedDraft = { format: 1; edit: number; content: TypedContent; rollbackPlan: string }

export const typedDraft = ({ edit, content, rollbackPlan }: ScoringVersion): TypedDraft => ({
  format: 1,
  edit,
  rollbackPlan: rollbackPlan ?? '',
  content: typedContent(content),
})

/** Parses a draft stored in this browser. Null if it has another format. */
export function parseTypedDraft(stored: unknown): TypedDraft | null {
  if (typeof stored !== 'object' || stored === null || !('format' in stored) || stored.format !== 1) return null
  // The format number guarantees the shape: the editor stored this object.
  return stored as TypedDraft
}

function typedContent({ groups, gates, bands, straddling, rounding, tieBreak }: ScoringContent): TypedContent {
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

/** Converts to the API's form. Blank numbers are omitted; `missingIn` reports the required ones. */
export function contentOf({ groups, gates, bands, ...settings }: TypedContent): ScoringContent {
  return {
    groups: groups.map(({ rules, min, max, ...group }) => ({
      ...group,
      min: min || 0,
      max: max || 0,
      rules: rules.map((rule) => ({ ...conditionOf(rule), points: rule.points || 0 })),
    })),
    gates: gates.map((gate) => ({ ...conditionOf(gate), kind: gate.kind })),
    bands: bands.map(({ from, ...band }) => ({ ...band, from: from || 0 })),
    ...settings,
    suppression: 'first',
  }
}

function conditionOf({ id, signal, op, words, number, freshDays, expireDays, minConfidence }: TypedCondition) {
  return {
    id,
    signal,
    op,
    ...comparedValue(op, words, number),
    ...(freshDays !== '' && { freshDays }),
    ...(expireDays !== '' && { expireDays }),
    ...(minConfidence !== null && { minConfidence }),
  }
}

function comparedValue(op: Op, words: string[], number: Typed): { value?: string | number | string[] } {
  switch (op) {
    case 'is_true':
      return {}
    case 'at_least':
    case 'at_most':
      return number === '' ? {} : { value: number }
    case 'is':
      return words[0] === undefined ? {} : { value: words[0] }
    default:
      return { value: words }
  }
}

export type FieldErrors = Readonly<Record<string, string>>

/** Errors for blank fields that the API requires, by their path in the request. */
export function missingIn({ groups, bands }: TypedContent): FieldErrors {
  const errors: Record<string, string> = {}
  const require = (value: Typed | string, path: string, message: string) => {
    if (value === '' || (typeof value === 'string' && value.trim() === '')) errors[`content.${path}`] = message
  }
  for (const [at, group] of groups.entries()) {
    require(group.name, `groups.${at}.name`, 'Enter a name.')
    require(group.min, `groups.${at}.min`, 'Enter a number.')
    require(group.max, `groups.${at}.max`, 'Enter a number.')
    for (const [place, { points }] of group.rules.entries())
      require(points, `groups.${at}.rules.${place}.points`, 'Enter the points.')
  }
  for (const [at, band] of bands.entries()) {
    require(band.name, `bands.${at}.name`, 'Enter a name.')
    require(band.from, `bands.${at}.from`, 'Enter a score.')
  }
  return errors
}

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

/** Returns the list with one item moved up (-1) or down (1). */
export function moved<Item>(items: readonly Item[], at: number, by: -1 | 1): Item[] {
  const next = [...items]
  const [item] = next.splice(at, 1)
  if (item !== undefined) next.splice(at + by, 0, item)
  return next
}

/** Returns the list with one item replaced, or removed if `item` is null. */
export function replaced<Item>(items: readonly Item[], at: number, item: Item | null): Item[] {
  return items.flatMap((one, index) => (index !== at ? [one] : item === null ? [] : [item]))
}
