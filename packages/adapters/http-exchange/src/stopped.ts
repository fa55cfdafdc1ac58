import type { UnavailableCause } from '@prospect/adapter-contract/adapter'
import type { HttpReason } from '@prospect/adapter-contract/http-reasons'

const causeOfReason: Readonly<Record<HttpReason, UnavailableCause>> = {
  unsafe_address: 'destination_denied',
  rebinding: 'destination_denied',
  peer_mismatch: 'destination_denied',
  dns_failed: 'name_not_resolved',
  nxdomain: 'name_not_resolved',
  connection_failed: 'connection_failed',
  tls_failed: 'tls_failed',
  protocol_error: 'answer_invalid',
  time_limit: 'timeout',
  size_limit: 'answer_too_large',
  decoded_limit: 'answer_too_large',
  header_limit: 'answer_invalid',
  informational_limit: 'answer_invalid',
  encoding_unsupported: 'answer_invalid',
  cancelled: 'cancelled',
}

/**
 * Error that ends a request. `fault` is `transport` if this machine failed, or a part that its operator chose. `cause` is `timeout` if a step of the
 * request took too long; `reason` then names the step.
 */
export class Stopped extends Error {
  readonly reason: HttpReason
  readonly fault: 'target' | 'transport'
  override readonly cause: UnavailableCause

  constructor(
    reason: HttpReason,
    fault: 'target' | 'transport' = 'target',
    cause: UnavailableCause = causeOfReason[reason],
  ) {
    super(reason)
    this.reason = reason
    this.fault = fault
    this.cause = cause
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
