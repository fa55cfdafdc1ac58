/** Reasons for which an HTTP request can end early, with the names that scans and traces show. */
export const httpReasons = [
  'unsafe_address',
  'rebinding',
  'peer_mismatch',
  'dns_failed',
  'nxdomain',
  'connection_failed',
  'tls_failed',
  'protocol_error',
  'time_limit',
  'size_limit',
  'decoded_limit',
  'header_limit',
  'informational_limit',
  'encoding_unsupported',
  'cancelled',
] as const

export type HttpReason = (typeof httpReasons)[number]
