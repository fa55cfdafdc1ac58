import { DAY_MS } from '../../../lib/clock.ts'
import type { Eligibility } from '../../../lib/score-codes.ts'
import type { ScoringRecord } from '../records/scoring-record.ts'
import { placeOf } from '../records/scoring-record.ts'
import { findSignal } from '../signals/all-signals.ts'
import type { Reading, Signal } from '../signals/signal.ts'
import {
  type Band,
  type Condition,
  type Content,
  confidences,
  HUNDREDTHS,
  type Rounding,
  type TieBreak,
} from './content.ts'
import { FAILS, HOLDS, isUndecided, type Outcome, undecided } from './outcomes.rules.ts'

/**
 * Version of the evaluation code. Increment it with every change that can change a result. A build with another version stops re-scoring until all
 * records are recalculated. `ALGORITHM_VERSION` appends the versions of normalization and of comparisons, because signals read
 * normalized values and compared evidence.
 */
export const EVALUATION_VERSION = 'scoring-2'

/** The result of evaluating one record. Scores are whole points, 0 to 100. */
export type Result = {
  eligibility: Eligibility
  /** lowest and highest possible score; null if the record is blocked */
  low: number | null
  high: number | null
  /** index of the band of the range; -1 if the range spans several bands; null if the record is blocked */
  priority: number | null
  /** index of the best possible band, which is the band of `high` */
  reachable: number | null
  /** share of the rules' weight that is decided, in percent, rounded down */
  completeness: number
  /** tie-break: of records with the same score, the record with the larger number is listed first */
  tie: number
  /** time from which the result can change without an edit; null if it cannot */
  holdsUntil: number | null
}

export type CompiledCondition = {
  condition: Condition
  signal: Signal
  decide(record: ScoringRecord, now: number): Outcome
  /** lowest confidence of the evidence that counts, as an index of `confidences`; -1 if evidence is not required */
  least: number
  /** true if the condition reads a fact for which the record has no evidence */
  lacksEvidence(record: ScoringRecord): boolean
}

type CompiledRule = CompiledCondition & { hundredths: number }
type CompiledGroup = { id: string; min: number; max: number; rules: readonly CompiledRule[] }
type CompiledGate = CompiledCondition & { kind: 'requires' | 'excludes' }

export type Evaluator = {
  groups: readonly CompiledGroup[]
  gates: readonly CompiledGate[]
  bands: readonly Band[]
  evaluate(record: ScoringRecord, now: number): Result
}

const undecidedBy = {
  blocked: undecided('source_blocked'),
  noValue: undecided('no_value'),
  noEvidence: undecided('no_evidence'),
  notStated: undecided('not_stated'),
  contradicted: undecided('contradicted'),
  ambiguous: undecided('ambiguous'),
  lowConfidence: undecided('low_confidence'),
  undated: undecided('undated'),
  moreThanRead: undecided('more_than_read'),
  expired: undecided('expired'),
  stale: undecided('stale'),
} as const

/** Compiles a content that has no problems (`problemsOf`). Throws for an unknown signal. */
export function compile(content: Content): Evaluator {
  const compileCondition = (condition: Condition) => compileOne(condition, content.requiredEvidence)
  const groups = content.groups.map(({ id, min, max, rules }) => ({
    id,
    min: hundredthsOf(min),
    max: hundredthsOf(max),
    rules: rules.map((rule) => ({ ...compileCondition(rule), hundredths: hundredthsOf(rule.points) })),
  }))
  const gates = content.gates.map((gate) => ({ ...compileCondition(gate), kind: gate.kind }))
  const all: readonly CompiledCondition[] = [...groups.flatMap(({ rules }) => rules), ...gates]
  const { bands, rounding, straddling } = content
  const total = groups.reduce(
    (sum, { rules }) => sum + rules.reduce((own, rule) => own + Math.abs(rule.hundredths), 0),
    0,
  )
  const tieOf = tieOfRecord(content.tieBreak)

  function evaluate(record: ScoringRecord, now: number): Result {
    if (record.isDoNotContact) return blockedResult
    let low = 0
    let high = 0
    let decided = 0
    for (const group of groups) {
      let groupLow = 0
      let groupHigh = 0
      for (const rule of group.rules) {
        const outcome = rule.decide(record, now)
        const points = rule.hundredths
        if (outcome === HOLDS) {
          groupLow += points
          groupHigh += points
        } else if (outcome !== FAILS) {
          if (points < 0) groupLow += points
          else groupHigh += points
          continue
        }
        decided += points < 0 ? -points : points
      }
      low += clamp(groupLow, group.min, group.max)
      high += clamp(groupHigh, group.min, group.max)
    }
    const lowScore = scoreOf(low, rounding)
    const highScore = scoreOf(high, rounding)
    const reachable = bandOf(bands, highScore)
    const lowest = bandOf(bands, lowScore)
    const completeness = total === 0 ? 100 : Math.floor((100 * decided) / total)
    return {
      eligibility: eligibilityOf(gates, record, now),
      low: lowScore,
      high: highScore,
      priority: lowest === reachable || straddling === 'lowest' ? lowest : -1,
      reachable,
      completeness,
      tie: tieOf(record, completeness),
      holdsUntil: holdsUntil(all, record, now),
    }
  }

  return { groups, gates, bands, evaluate }
}

const blockedResult: Result = Object.freeze({
  eligibility: 'blocked',
  low: null,
  high: null,
  priority: null,
  reachable: null,
  completeness: 0,
  tie: 0,
  holdsUntil: null,
})

/** Returns the eligibility by the gates. A gate that certainly fails decides it. Otherwise one undecided gate makes it unknown. */
function eligibilityOf(gates: readonly CompiledGate[], record: ScoringRecord, now: number): Eligibility {
  let isOpen = false
  for (const { kind, decide } of gates) {
    const outcome = decide(record, now)
    if (isUndecided(outcome)) isOpen = true
    else if ((outcome === HOLDS) !== (kind === 'requires')) return 'ineligible'
  }
  return isOpen ? 'unknown' : 'eligible'
}

function compileOne(condition: Condition, requiredEvidence: Content['requiredEvidence']): CompiledCondition {
  const signal = findSignal(condition.signal)
  if (signal === undefined) throw new Error(`There is no signal ${condition.signal}.`)
  const test = testOf(signal, condition)
  const place = signal.field === undefined ? -1 : placeOf(signal.field)
  const { freshDays = 0, expireDays = 0, minConfidence } = condition
  const required = place < 0 || requiredEvidence === undefined ? -1 : confidences.indexOf(requiredEvidence)
  const own = minConfidence === undefined ? -1 : confidences.indexOf(minConfidence)
  // A signal that measures the evidence is decided by a contradiction too, which has no confidence of support.
  const least = signal.measuresEvidence === true ? own : Math.max(own, required)
  const { freshMs, expireMs } = { freshMs: freshDays * DAY_MS, expireMs: expireDays * DAY_MS }
  const isDated = freshMs > 0 || expireMs > 0

  function decide(record: ScoringRecord, now: number): Outcome {
    const value = signal?.read(record, now)
    const evidence = place < 0 ? null : (record.evidence[place] ?? null)
    if (evidence?.isBlocked === true) return undecidedBy.blocked
    if (value === undefined)
      return evidence === null || evidence.claims === 0 ? undecidedBy.noValue : undecidedBy.notStated
    if (required >= 0 && lacksEvidence(record)) return undecidedBy.noEvidence
    if (evidence !== null && evidence.contradicting > 0 && signal?.measuresEvidence !== true)
      return undecidedBy.contradicted
    if (signal?.isAmbiguous?.(record) === true) return undecidedBy.ambiguous
    if (least >= 0 && (evidence === null || evidence.confidence < least)) return undecidedBy.lowConfidence
    const newest = isDated ? datedAt(record, evidence) : -1
    if (isDated && newest < 0) return undecidedBy.undated
    if (evidence?.isPartial === true || signal?.isPartial?.(record) === true) return undecidedBy.moreThanRead
    if (expireMs > 0 && now >= newest + expireMs) return undecidedBy.expired
    if (freshMs > 0 && now >= newest + freshMs) return undecidedBy.stale
    return test(value) ? HOLDS : FAILS
  }

  function lacksEvidence(record: ScoringRecord): boolean {
    if (place < 0) return false
    const evidence = record.evidence[place] ?? null
    return evidence === null || evidence.supporting + evidence.contradicting === 0
  }

  function datedAt(record: ScoringRecord, evidence: ScoringRecord['evidence'][number]): number {
    if (signal?.datedAt !== undefined) return signal.datedAt(record) ?? -1
    return evidence?.newest[least < 0 ? 0 : (least as 0 | 1 | 2)] ?? -1
  }

  return { condition, signal, decide, least, lacksEvidence }
}

/** Returns the next time at which the evidence of a condition ages into another state, or the value itself crosses the threshold. */
export function changesAt(compiled: CompiledCondition, record: ScoringRecord, now: number): number | null {
  const { condition, signal } = compiled
  const { freshDays, expireDays } = condition
  let next = signal.changesAt?.(record, now, condition) ?? Number.POSITIVE_INFINITY
  if (freshDays !== undefined || expireDays !== undefined) {
    const least = Math.max(0, compiled.least)
    const evidence = signal.field === undefined ? null : record.evidence[placeOf(signal.field)]
    const newest =
      signal.datedAt === undefined ? (evidence?.newest[least as 0 | 1 | 2] ?? -1) : (signal.datedAt(record) ?? -1)
    for (const days of [freshDays, expireDays]) {
      if (days === undefined || newest < 0) continue
      const at = newest + days * DAY_MS
      if (at > now && at < next) next = at
    }
  }
  return next === Number.POSITIVE_INFINITY ? null : next
}

function holdsUntil(all: readonly CompiledCondition[], record: ScoringRecord, now: number): number | null {
  let next = Number.POSITIVE_INFINITY
  for (const one of all) {
    const { freshDays, expireDays } = one.condition
    if (one.signal.changesAt === undefined && freshDays === undefined && expireDays === undefined) continue
    const at = changesAt(one, record, now)
    if (at !== null && at < next) next = at
  }
  return next === Number.POSITIVE_INFINITY ? null : next
}

/** Returns a function that tests a stated value against the condition. Text is compared in the case-folded form that the signal returns. */
function testOf(signal: Signal, { op, value }: Condition): (reading: Reading) => boolean {
  const fold = signal.fold ?? ((text: string) => text)
  const values = new Set(
    (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? fold(one) : one)),
  )
  const isAmong = (reading: Reading) => values.has(typeof reading === 'object' ? undefined : (reading as string))
  const hasAny = (reading: Reading) => typeof reading === 'object' && reading.some((one) => values.has(one))
  const bound = typeof value === 'number' ? value : Number.NaN
  switch (op) {
    case 'is':
    case 'one_of':
      return isAmong
    case 'none_of':
      return signal.type === 'list' ? (reading) => !hasAny(reading) : (reading) => !isAmong(reading)
    case 'has_any':
      return hasAny
    case 'at_least':
      return (reading) => (reading as number) >= bound
    case 'at_most':
      return (reading) => (reading as number) <= bound
    case 'is_true':
      return (reading) => reading === true
  }
}

function tieOfRecord(tieBreak: TieBreak): (record: ScoringRecord, completeness: number) => number {
  switch (tieBreak) {
    case 'completeness':
      return (_record, completeness) => completeness
    case 'newest_evidence':
      return ({ evidence }) => evidence.reduce((newest, one) => Math.max(newest, one?.newest[0] ?? 0), 0)
    case 'oldest_record':
      return ({ createdAt }) => -createdAt
    case 'newest_record':
      return ({ createdAt }) => createdAt
  }
}

export function hundredthsOf(points: number): number {
  return Math.round(points * HUNDREDTHS)
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/** Rounds hundredths to whole points from 0 to 100. No other function rounds. */
export function scoreOf(hundredths: number, rounding: Rounding): number {
  const within = clamp(hundredths, 0, 100 * HUNDREDTHS)
  const whole = Math.floor(within / HUNDREDTHS)
  const rest = within - whole * HUNDREDTHS
  const half = HUNDREDTHS / 2
  switch (rounding) {
    case 'down':
      return whole
    case 'half_up':
      return rest >= half ? whole + 1 : whole
    case 'half_even':
      return rest > half || (rest === half && whole % 2 === 1) ? whole + 1 : whole
  }
}

/** Returns the index of the best band that a score reaches. */
export function bandOf(bands: readonly Band[], score: number): number {
  for (let place = 0; place < bands.length - 1; place++) if (score >= (bands[place]?.from ?? 0)) return place
  return bands.length - 1
}
