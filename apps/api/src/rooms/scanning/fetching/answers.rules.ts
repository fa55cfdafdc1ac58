import type { WebPage, WebTrace } from '@prospect/adapter-contract/web-page'
import { type ScanReason, scanReasons } from '../reasons.ts'

/* Maps the outcome of one request to its meaning for a scan. Pure. */

export type HopAnswer =
  | { kind: 'page'; page: WebPage; reasons: ScanReason[] }
  | { kind: 'failed'; reason: ScanReason; retryAt: string | null; endsScan: boolean }

type Outcome = {
  outcome: 'answered' | 'deferred' | 'unavailable'
  reason?: string | null
  until?: string | null
  answers: readonly WebPage[]
  traces: readonly WebTrace[]
}

const known: ReadonlySet<string> = new Set(scanReasons)

/** Maps reasons of the registry to reasons of scans. */
const translated: Readonly<Record<string, ScanReason>> = {
  rate_limited: 'rate_limited',
  overloaded: 'rate_limited',
  budget_day: 'rate_limited',
  budget_minute: 'rate_limited',
  concurrency: 'rate_limited',
  access_denied: 'access_denied',
  target_denied: 'access_denied',
  timeout: 'time_limit',
  answer_invalid: 'protocol_error',
  answer_too_large: 'size_limit',
  adapter_failed: 'protocol_error',
  name_not_resolved: 'dns_failed',
  tls_failed: 'tls_failed',
  destination_denied: 'unsafe_address',
  not_loaded: 'adapter_not_loaded',
  source_lapsed: 'source_not_enabled',
  source_withdrawn: 'source_not_enabled',
  source_rejected: 'source_not_enabled',
  source_incomplete: 'source_not_enabled',
  source_awaiting_approval: 'source_not_enabled',
  source_changed: 'source_not_enabled',
  built_in: 'source_not_enabled',
  purpose_not_permitted: 'source_not_enabled',
  outside_scope: 'source_not_enabled',
}

/** Reasons after which the scan requests no further page. */
const endings: ReadonlySet<ScanReason> = new Set<ScanReason>([
  'unsafe_address',
  'rebinding',
  'peer_mismatch',
  'rate_limited',
  'access_denied',
  'source_not_enabled',
  'adapter_not_loaded',
  'circuit_open',
  'do_not_contact',
  'business_not_active',
  'policy_changed',
  'interrupted',
  'cancelled',
])

export const blocking: ReadonlySet<ScanReason> = new Set<ScanReason>(['unsafe_address', 'rebinding', 'peer_mismatch'])

export function answerOf(outcome: Outcome): HopAnswer {
  const [page] = outcome.answers
  const trace = outcome.traces.at(-1)
  if (page !== undefined) return { kind: 'page', page, reasons: page.endedBy === null ? [] : [page.endedBy] }
  const reason = trace?.reason ?? reasonOf(outcome.reason ?? '')
  return { kind: 'failed', reason, retryAt: outcome.until ?? null, endsScan: endings.has(reason) }
}

function reasonOf(reason: string): ScanReason {
  const own = translated[reason]
  if (own !== undefined) return own
  return known.has(reason) ? (reason as ScanReason) : 'connection_failed'
}
