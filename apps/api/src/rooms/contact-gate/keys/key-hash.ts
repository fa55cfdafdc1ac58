import { createHmac } from 'node:crypto'
import { hmacUnder } from '../../../lib/hashing.ts'
import type { Keys } from '../../../store/files/keys.ts'

/** Prefix of hashed keys. */
const HASHED = 'x:'

/**
 * Returns a function that hashes a key with a secret of the tenant. The secret is derived from one outside the database. Without it, nobody can find
 * the hash of a given number in a copy of the store, and the same address has a different hash in every tenant.
 */
export function keyHasher(keys: Keys, tenantId: string): (key: string) => string {
  const keyed = hmacUnder(createHmac('sha256', keys.tombstones).update(tenantId).digest())
  return (key) => `${HASHED}${keyed(key)}`
}

export function isHashed(key: string): boolean {
  return key.startsWith(HASHED)
}
