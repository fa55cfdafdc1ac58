import { normalizeIP } from '@fastify/rate-limit'
import { AppError } from '../../../lib/app-error.ts'

/** Prefix length of the IPv6 addresses that one customer of a provider controls. */
const IPV6_SUBNET = 64

/** Returns the key under which attempts from an address are counted: the address itself, or the IPv6 prefix of its customer. */
export function sourceOf(address: string): string {
  return normalizeIP(address, IPV6_SUBNET)
}

/** Throws `rate_limited` with the time to wait, unless that time is 0. */
export function requireNoWait(waitMs: number): void {
  if (waitMs === 0) return
  throw new AppError('rate_limited', 'Too many attempts. Wait, then try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}
