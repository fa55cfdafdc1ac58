import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** For two years, for this host and those below it; ASVS 3.4.1. */
const strictTransportSecurity = 'max-age=63072000; includeSubDomains'

/** On every answer; the API's own answers keep what the API says, and the page has a policy of its own. */
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

/** What every answer to this request begins with. */
export function headersOf({ id, protocol }: FastifyRequest): Record<string, string> {
  const overTls = protocol === 'https' ? { 'strict-transport-security': strictTransportSecurity } : {}
  return { ...commonHeaders, ...overTls, 'x-request-id': id }
}

export function newNonce(): string {
  return randomBytes(18).toString('base64')
}

/**
 * Only our own files, and the inline script and style elements that carry this answer's nonce: the colour scheme before
 * the first paint, and the theme variables of the component library. No inline style is let in without it: React sets
 * styles through the object model, which the policy does not concern.
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
