import { normalizeIP } from '@fastify/rate-limit'
import { AppError } from '../../../lib/app-error.ts'

/** The network of one customer of an IPv6 provider, who controls all its addresses. */
const IPV6_SUBNET = 64

/** The address under which attempts are counted. */
export function sourceOf(address: string): string {
  return normalizeIP(address, IPV6_SUBNET)
}

/** Throws `rate_limited` with the time to wait, if any. */
export function requireNoWait(waitMs: number): void {
  if (waitMs === 0) return
  throw new AppError('rate_limited', 'Too many attempts. Wait, then try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}
