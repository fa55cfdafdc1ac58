import { createHash, hash, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

export function sha256OfBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/** Returns the SHA-256 of data that arrives in pieces. */
export async function sha256Of(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read = createHash('sha256')
  for await (const piece of pieces) read.update(piece)
  return read.digest('hex')
}

/** Returns the SHA-256 of the RFC 8785 form of a value. Two requests that differ only in the order of properties have the same fingerprint. */
export function fingerprint(value: unknown): string {
  return sha256(canonicalize(value) ?? 'undefined')
}

/** Compares two secrets in constant time. */
export function secretsEqual(a: string, b: string): boolean {
  const left = Buffer.from(sha256(a))
  const right = Buffer.from(sha256(b))
  return timingSafeEqual(left, right)
}

const BLOCK_BYTES = 64
const HASH_BYTES = 32
const BYTES_A_CHARACTER = 3
/** Initial size of the buffer for the bytes of a text. A longer text gets a larger buffer. */
const ROOM_BYTES = 1_024

/**
 * Returns a function that computes HMAC-SHA256 in base64url (RFC 2104) from two hashes. A `createHmac` object per text takes over twice as long,
 * without counting garbage collection. The speed matters because every change sends such a token, and values of a file are hashed by the million. A
 * test of suppression's tombstones compares the result with `createHmac`. `secret`: at most 64 bytes.
 */
export function hmacUnder(secret: Buffer): (text: string) => string {
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
