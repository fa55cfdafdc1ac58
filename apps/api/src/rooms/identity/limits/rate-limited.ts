import { normalizeIP } from '@fastify/rate-limit'
import { AppError } from '../../../lib/app-error.ts'

/** IPv6 prefix length of one customer, who controls all addresses in it. */
const IPV6_SUBNET = 64

/** Returns the address under which attempts are counted. */
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
