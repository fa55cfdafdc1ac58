import { createHmac } from 'node:crypto'
import type { Keys } from '../../store/keys.ts'

const secrets = new WeakMap<Keys, Buffer>()

/**
 * Makes of a key one that tells nothing: hashed under a key of the tenant's own, which is derived from a secret outside the database.
 * Whoever has the file alone cannot try out numbers, and the same address has another hash at every tenant.
 */
export function hasher(keys: Keys, tenantId: string): (key: string) => string {
  const secret = secrets.get(keys) ?? keys.derive('tombstone')
  secrets.set(keys, secret)
  const tenantKey = createHmac('sha256', secret).update(tenantId).digest()
  return (key) => `x:${createHmac('sha256', tenantKey).update(key).digest('base64url')}`
}
