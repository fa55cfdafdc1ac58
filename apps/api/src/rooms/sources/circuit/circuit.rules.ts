import type { CompleteContract } from '../registry/contract.rules.ts'
import type { CircuitState } from '../sources.table.ts'

/*
 * The circuit of a source (specification, Phase 5 §5). Only outcomes of requests and a reset by a person change its state: there is no
 * timer, so time, a restart or a new version do not affect it. Pure.
 */

/** The window of requests for ratio and latency, and the minimum for either to count. */
export const WINDOW = 20
const WINDOW_MIN = 10

/** One counted request; lists are newest first. Responses of varying hosts and cancelled requests are not counted. */
export type Counted = { isFailure: boolean; latencyMs: number }

export type Thresholds = CompleteContract['circuit']

/** Counted requests since the newest transition, the one that just ended first. */
export type Observed = {
  state: CircuitState
  recent: readonly Counted[]
  /** the provider itself refused access: 401, 403, 451 */
  isAccessDenied: boolean
}

export type Transition = { state: 'open' | 'closed'; cause: CircuitCause }
export const circuitCauses = [
  'access_denied',
  'consecutive_failures',
  'failure_ratio',
  'latency',
  'probation_failed',
  'probation_passed',
  'reset',
] as const
export type CircuitCause = (typeof circuitCauses)[number]

/** The transition caused by a request that just ended; undefined without one. */
export function transitionAfter(
  { state, recent, isAccessDenied }: Observed,
  thresholds: Thresholds,
): Transition | undefined {
  const [newest] = recent
  if (newest === undefined) return undefined
  switch (state) {
    case 'open':
      return undefined
    case 'probation':
      if (newest.isFailure) return { state: 'open', cause: 'probation_failed' }
      return successesOf(recent) >= thresholds.closeAfterSuccesses
        ? { state: 'closed', cause: 'probation_passed' }
        : undefined
    case 'closed': {
      const cause = isAccessDenied ? 'access_denied' : openingCause(recent.slice(0, WINDOW), recent, thresholds)
      return cause === undefined ? undefined : { state: 'open', cause }
    }
  }
}

function openingCause(
  window: readonly Counted[],
  recent: readonly Counted[],
  { consecutiveFailures, failureRatio, latencyMs }: Thresholds,
): CircuitCause | undefined {
  if (failuresInARow(recent) >= consecutiveFailures) return 'consecutive_failures'
  if (window.length < WINDOW_MIN) return undefined
  if (window.filter(({ isFailure }) => isFailure).length / window.length > failureRatio) return 'failure_ratio'
  return medianOf(window.map((one) => one.latencyMs)) > latencyMs ? 'latency' : undefined
}

function failuresInARow(recent: readonly Counted[]): number {
  const at = recent.findIndex(({ isFailure }) => !isFailure)
  return at === -1 ? recent.length : at
}

export function successesOf(recent: readonly Counted[]): number {
  return recent.filter(({ isFailure }) => !isFailure).length
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

/** Maximum of counted requests that `transitionAfter` needs. */
export function windowOf({ consecutiveFailures, closeAfterSuccesses }: Thresholds): number {
  return Math.max(WINDOW, consecutiveFailures, closeAfterSuccesses)
}

/** Time for which a record of an incident or change permits one reset, of the opening that it names. */
const INCIDENT_DAYS = 7
export const INCIDENT_MS = INCIDENT_DAYS * 86_400_000

/** Returns why a record cannot be used to reset this opening, as a sentence; undefined if it can. */
export function unusableBecause(
  incident: { openingId: string; decision: 'approve' | 'reject' | null; usedAt: string | null; createdAt: string },
  openingId: string,
  now: string,
): string | undefined {
  if (incident.openingId !== openingId) return 'This record is about another opening of the circuit.'
  if (incident.usedAt !== null) return 'This record was already used for a reset. Write a new one.'
  if (incident.decision !== 'approve') return 'Another person must approve this record first.'
  const age = Date.parse(now) - Date.parse(incident.createdAt)
  if (age > INCIDENT_MS) return `This record is older than ${INCIDENT_DAYS} days. Write a new one.`
  return undefined
}
