import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Two years, for this host and its subdomains; ASVS 3.4.1. */
const strictTransportSecurity = 'max-age=63072000; includeSubDomains'

/** Headers of every response. Responses of the API keep their own values, and the HTML page has its own policy. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
}

/** Headers that every response to this request starts with. */
export function headersOf({ id, protocol }: FastifyRequest): Record<string, string> {
  const overTls = protocol === 'https' ? { 'strict-transport-security': strictTransportSecurity } : {}
  return { ...commonHeaders, ...overTls, 'x-request-id': id }
}

export function newNonce(): string {
  return randomBytes(18).toString('base64')
}

/**
 * Content security policy: only own files, and inline scripts and styles with the nonce of this response, which set the colour scheme before the
 * first paint and the theme variables of Mantine. Inline styles without the nonce are blocked; styles that React sets through the DOM are not
 * affected.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Content security policy of a worker's script. A worker has the policy of its own response, not that of its page, so the policy of other files would
 * block the connection to the stream of changes.
 */
export const workerSecurityPolicy =
  "default-src 'none'; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
