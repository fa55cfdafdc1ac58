import { createHmac, hash } from 'node:crypto'
import type { Keys } from '../../store/keys.ts'

/** Before a key that is a hash. */
const HASHED = 'x:'

const secrets = new WeakMap<Keys, Buffer>()

/**
 * Makes of a key one that tells nothing: hashed under a key of the tenant's own, which is derived from a secret outside the database.
 * Whoever has the file alone cannot try out numbers, and the same address has another hash at every tenant.
 */
export function hasher(keys: Keys, tenantId: string): (key: string) => string {
  const secret = secrets.get(keys) ?? keys.derive('tombstone')
  secrets.set(keys, secret)
  const keyed = hmacUnder(createHmac('sha256', secret).update(tenantId).digest())
  return (key) => `${HASHED}${keyed(key)}`
}

export function isHashed(key: string): boolean {
  return key.startsWith(HASHED)
}

const BLOCK_BYTES = 64
const HASH_BYTES = 32
const BYTES_A_CHARACTER = 3
/** Of a key; for a longer one there is more. */
const ROOM_BYTES = 1_024

/**
 * HMAC-SHA256 in base64url by its definition (RFC 2104), as two hashes in one go each: millions of values of a file are asked about, and
 * an object of `createHmac` for each takes over twice as long, its collection not counted. A test holds it to `createHmac`.
 */
function hmacUnder(secret: Buffer): (text: string) => string {
  const block = (pad: number) => Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (secret[at] ?? 0) ^ pad)
  const outer = Buffer.concat([block(0x5c)], BLOCK_BYTES + HASH_BYTES)
  let inner = Buffer.concat([block(0x36)], BLOCK_BYTES + ROOM_BYTES)
  return (text) => {
    const most = BLOCK_BYTES + text.length * BYTES_A_CHARACTER
    if (most > inner.length) inner = Buffer.concat([inner], most)
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES)
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary')
    return hash('sha256', outer, 'base64url')
  }
}
