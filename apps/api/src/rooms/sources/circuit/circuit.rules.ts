import { DAY_MS } from '../../../lib/clock.ts'
import type { CompleteContract } from '../registry/contract.rules.ts'
import type { CircuitState } from '../sources.table.ts'

/*
 * Pure rules for the circuit of a source (specification, Phase 5 §5), which stops requests to a source after failures. Only outcomes of requests and
 * a reset by a person change its state. There is no timer, so time, a restart or a new version do not affect it.
 */

/**
 * `WINDOW`: number of the last requests from which the failure ratio and the latency are computed. With fewer than `WINDOW_MIN` requests neither is
 * evaluated.
 */
export const WINDOW = 20
const WINDOW_MIN = 10

/** One request that counts for the circuit. Lists of them are newest first. Responses of varying hosts and cancelled requests do not count. */
export type Counted = { isFailure: boolean; latencyMs: number }

export type Thresholds = CompleteContract['circuit']

/** The input of a transition. `recent`: counted requests since the newest transition, beginning with the one that just ended. */
export type Observed = {
  state: CircuitState
  recent: readonly Counted[]
  /** true if the provider denied access, by the status 401, 403 or 451 */
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

/** Returns the transition that the request that just ended causes, or undefined. */
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

/** Maximum number of counted requests that `transitionAfter` reads. */
export function windowOf({ consecutiveFailures, closeAfterSuccesses }: Thresholds): number {
  return Math.max(WINDOW, consecutiveFailures, closeAfterSuccesses)
}

/** Days for which an incident record permits one reset of the circuit opening that it names. */
const INCIDENT_DAYS = 7
export const INCIDENT_MS = INCIDENT_DAYS * DAY_MS

/** Returns as a sentence why an incident record cannot be used to reset this opening of the circuit; undefined if it can. */
export function unusableBecause(
  incident: { openingId: string; decision: 'approve' | 'reject' | null; usedAt: string | null; createdAt: string },
  openingId: string,
  now: string,
): string | undefined {
  if (incident.openingId !== openingId) return 'This record is about an earlier stop of the source.'
  if (incident.usedAt !== null) return 'This record was already used for a restart. Create a new record.'
  if (incident.decision !== 'approve') return 'Another person must approve this record first.'
  const age = Date.parse(now) - Date.parse(incident.createdAt)
  if (age > INCIDENT_MS) return `This record is older than ${INCIDENT_DAYS} days. Create a new record.`
  return undefined
}
