/*
 * Maps the state of the evidence to the outcome of a condition. Only `current` evidence decides, and a value that the record states without evidence,
 * unless the rule set requires evidence. In every other state the rule contributes a range and reports the reason.
 */

export const evidenceStates = [
  'current',
  'stated',
  'stale',
  'expired',
  'partial',
  'uncertain',
  'missing',
  'blocked',
] as const
export type EvidenceState = (typeof evidenceStates)[number]

/** The evidence state of each reason, in order of precedence: the first reason that applies decides the state. */
export const reasonStates = {
  source_blocked: 'blocked',
  no_value: 'missing',
  no_evidence: 'missing',
  not_stated: 'uncertain',
  contradicted: 'uncertain',
  ambiguous: 'uncertain',
  low_confidence: 'uncertain',
  undated: 'uncertain',
  more_than_read: 'partial',
  expired: 'expired',
  stale: 'stale',
  stated: 'stated',
  decided: 'current',
} as const satisfies Record<string, EvidenceState>

export type Reason = keyof typeof reasonStates

export const reasonWords: Readonly<Record<Reason, string>> = {
  source_blocked: 'The only evidence comes from a merged record that is marked do not contact.',
  no_value: 'The record has no value, and there is no evidence.',
  no_evidence: 'The rule set requires evidence, and no evidence supports this value.',
  not_stated: 'Evidence shows a value that is not on the record.',
  contradicted: 'Some evidence contradicts the value.',
  ambiguous: 'The value cannot be read with certainty.',
  low_confidence: 'No supporting evidence has the confidence that the rule requires.',
  undated: 'No supporting evidence has a date for the value.',
  more_than_read: 'There are more values than the limit.',
  expired: 'The newest supporting evidence has expired.',
  stale: 'The newest supporting evidence is too old.',
  stated: 'The value is on the record, and no evidence supports it.',
  decided: 'The evidence is current.',
}

/**
 * Outcome of a condition as a small integer: 0 if the condition is met, 1 if it is not. A value from 2 on means undecided and identifies the reason.
 */
export type Outcome = number
export const HOLDS = 0
export const FAILS = 1
const decidedReasons: readonly Reason[] = ['stated', 'decided']
const undecidedReasons = (Object.keys(reasonStates) as Reason[]).filter((reason) => !decidedReasons.includes(reason))

export function undecided(reason: Exclude<Reason, 'stated' | 'decided'>): Outcome {
  return 2 + undecidedReasons.indexOf(reason)
}

export function isUndecided(outcome: Outcome): boolean {
  return outcome > FAILS
}

export function reasonOf(outcome: Outcome): Reason {
  return undecidedReasons[outcome - 2] ?? 'decided'
}
