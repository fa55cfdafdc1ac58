/*
 * Maps the state of the evidence to the outcome of a condition. Only `current` evidence decides. In every other state the rule contributes a range
 * and reports the reason.
 */

export const evidenceStates = ['current', 'stale', 'expired', 'partial', 'uncertain', 'missing', 'blocked'] as const
export type EvidenceState = (typeof evidenceStates)[number]

/** The evidence state of each reason, in order of precedence: the first reason that applies decides the state. */
export const reasonStates = {
  source_blocked: 'blocked',
  no_value: 'missing',
  not_stated: 'uncertain',
  contradicted: 'uncertain',
  ambiguous: 'uncertain',
  low_confidence: 'uncertain',
  undated: 'uncertain',
  more_than_read: 'partial',
  expired: 'expired',
  stale: 'stale',
  decided: 'current',
} as const satisfies Record<string, EvidenceState>

export type Reason = keyof typeof reasonStates

export const reasonWords: Readonly<Record<Reason, string>> = {
  source_blocked: 'The source of the evidence is blocked, expired or disabled.',
  no_value: 'No value is stated, and there is no evidence.',
  not_stated: 'Evidence names a value that the record does not state.',
  contradicted: 'Some evidence contradicts the value.',
  ambiguous: 'The value cannot be read with certainty.',
  low_confidence: 'No supporting evidence has the confidence that the rule requires.',
  undated: 'No supporting evidence dates the value.',
  more_than_read: 'There are more values than the limit.',
  expired: 'The newest supporting evidence has expired.',
  stale: 'The newest supporting evidence is stale.',
  decided: 'The evidence is current.',
}

/**
 * Outcome of a condition as a small integer: 0 if the condition is met, 1 if it is not. A value from 2 on means undecided and identifies the reason.
 */
export type Outcome = number
export const HOLDS = 0
export const FAILS = 1
const undecidedReasons = Object.keys(reasonStates).filter((reason) => reason !== 'decided') as Reason[]

export function undecided(reason: Exclude<Reason, 'decided'>): Outcome {
  return 2 + undecidedReasons.indexOf(reason)
}

export function isUndecided(outcome: Outcome): boolean {
  return outcome > FAILS
}

export function reasonOf(outcome: Outcome): Reason {
  return undecidedReasons[outcome - 2] ?? 'decided'
}
