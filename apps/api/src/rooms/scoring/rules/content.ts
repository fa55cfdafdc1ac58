/*
 * Types of a rule-set version's content. This file loads no schema library, because worker threads import it; `content.schema.ts` parses the same
 * structure.
 */

export const operators = ['is', 'one_of', 'none_of', 'has_any', 'at_least', 'at_most', 'is_true'] as const
export type Operator = (typeof operators)[number]

export const confidences = ['low', 'medium', 'high'] as const
export type Confidence = (typeof confidences)[number]

export const roundings = ['half_up', 'half_even', 'down'] as const
export type Rounding = (typeof roundings)[number]

export const tieBreaks = ['completeness', 'newest_evidence', 'oldest_record', 'newest_record'] as const
export type TieBreak = (typeof tieBreaks)[number]

export const straddlings = ['lowest', 'unknown'] as const
export type Straddling = (typeof straddlings)[number]

/** A condition on one signal. Current evidence decides whether the condition is met, or a stated value if the rule set requires no evidence. */
export type Condition = {
  id: string
  signal: string
  op: Operator
  value?: string | number | string[] | undefined
  freshDays?: number | undefined
  expireDays?: number | undefined
  minConfidence?: Confidence | undefined
}

export type Rule = Condition & { points: number }
export type Gate = Condition & { kind: 'requires' | 'excludes' }
export type Group = { id: string; name: string; min: number; max: number; rules: Rule[] }
/** A named range of scores. `from`: lowest score of the band. */
export type Band = { id: string; name: string; from: number }

export type Content = {
  groups: Group[]
  gates: Gate[]
  /** bands, best first; the last band begins at 0 */
  bands: Band[]
  straddling: Straddling
  rounding: Rounding
  tieBreak: TieBreak
  /**
   * lowest confidence of the evidence that every rule and gate about a fact of the record requires; undefined: a stated value decides without
   * evidence. Optional, because the hash of a version includes all its settings.
   */
  requiredEvidence?: Confidence | undefined
  /** treatment of do not contact records; the only value is `first`: such a record is never scored */
  suppression: 'first'
}

/** Limits of the content of one version of a rule set. `docs/limits.md` lists them. */
export const contentLimits = {
  groups: 10,
  rules: 60,
  gates: 20,
  leastBands: 2,
  bands: 6,
  points: 100,
  values: 50,
  valueLength: 200,
  days: 3_650,
  number: 1_000_000,
  idLength: 40,
  nameLength: 100,
  bytes: 64 * 1024,
} as const

/** Factor between points and the integers in which they are summed: hundredths of a point. */
export const HUNDREDTHS = 100
