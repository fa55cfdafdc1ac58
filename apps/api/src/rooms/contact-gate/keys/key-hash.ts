import { createHmac } from 'node:crypto'
import { hmacUnder } from '../../../lib/hashing.ts'
import type { Keys } from '../../../store/files/keys.ts'

/** Before a key that is a hash. */
const HASHED = 'x:'

/**
 * Makes of a key one that tells nothing: hashed under a key of the tenant's own, which is derived from a secret outside the database.
 * Whoever has the file alone cannot try out numbers, and the same address has another hash at every tenant.
 */
export function keyHasher(keys: Keys, tenantId: string): (key: string) => string {
  const keyed = hmacUnder(createHmac('sha256', keys.tombstones).update(tenantId).digest())
  return (key) => `${HASHED}${keyed(key)}`
}

export function isHashed(key: string): boolean {
  return key.startsWith(HASHED)
}
