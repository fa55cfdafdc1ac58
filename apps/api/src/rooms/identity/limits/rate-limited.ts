import { normalizeIP } from '@fastify/rate-limit'
import { AppError } from '../../../lib/app-error.ts'

/** What one customer of an IPv6 provider is given: whoever has it has all its addresses. */
const IPV6_SUBNET = 64

/** The address that attempts are counted by. */
export function sourceOf(address: string): string {
  return normalizeIP(address, IPV6_SUBNET)
}

/** Throws `rate_limited` with the time to wait, where there is one. */
export function requireNoWait(waitMs: number): void {
  if (waitMs === 0) return
  throw new AppError('rate_limited', 'Too many attempts. Wait a while, then try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}
