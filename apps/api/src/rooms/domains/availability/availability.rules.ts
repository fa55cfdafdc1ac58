/*
 * Derives the availability of a domain (specification, Phase 7 §7). Pure. The status differs from `unknown` only if an authorized provider reported
 * it completely, in time and without contradiction. Neither a DNS status nor a person ever decides availability.
 */

/** The report of one source about one domain. */
export type Report =
  | {
      outcome: 'answered'
      source: string
      isAuthorized: boolean
      /** reported status; `unknown` if the answer of the provider stated none */
      status: 'available' | 'not_available' | 'unknown'
      observedAt: string
      /** time from which the report is stale */
      freshUntil: string
    }
  | { outcome: 'deferred' | 'unavailable'; source: string | null; reason: string }

export type Verdict = {
  status: 'unknown' | 'available' | 'not_available'
  outcome: 'answered' | 'deferred' | 'unavailable'
  reason: string | null
  source: string | null
  observedAt: string | null
}

export function verdictOf(reports: readonly Report[], now: string): Verdict {
  const unknown = (outcome: Verdict['outcome'], reason: string): Verdict => ({
    status: 'unknown',
    outcome,
    reason,
    source: null,
    observedAt: null,
  })
  const failed = reports.find((report) => report.outcome !== 'answered')
  if (failed !== undefined) return unknown(failed.outcome, failed.reason)
  const answers = reports.filter((report) => report.outcome === 'answered')
  const [first] = answers
  if (first === undefined) return unknown('unavailable', 'no_provider')
  if (answers.some(({ isAuthorized }) => !isAuthorized)) return unknown('unavailable', 'not_authorized')
  if (answers.some(({ freshUntil }) => freshUntil <= now)) return unknown('answered', 'stale')
  if (answers.some(({ status }) => status !== first.status)) return unknown('answered', 'conflicting_results')
  if (first.status === 'unknown') return unknown('answered', 'provider_unknown')
  return { status: first.status, outcome: 'answered', reason: null, source: first.source, observedAt: first.observedAt }
}
