import { createBits } from '../../../lib/bits.ts'

/** Number of bits per value. With it, one in some dozens of the values that no entry matches is a false positive. */
const BITS_PER_VALUE = 32
const FEWEST_BITS = 2 ** 20
const DOT = 46
const AT = 64

export type EntryFilter = {
  add(value: string): void
  /** Returns true if an entry may match this normalized number, host or address, by itself or by a host above it. False is certain. */
  mayMatch(normalized: string): boolean
}

/**
 * Creates a Bloom filter over the values that a tenant's active entries can match (`matchableValuesOf`). It is queried for millions of values. A
 * value is hashed from its end, so that testing every host above it needs only one pass over its letters.
 */
export function createEntryFilter(expected: number): EntryFilter {
  const bits = createBits({ expected, each: BITS_PER_VALUE, fewest: FEWEST_BITS })
  const bitOf = (hash: number) => (hash ^ (hash >>> 15)) & bits.last
  const mayHold = (hash: number) => bits.has(bitOf(hash))
  return {
    add(value) {
      let hash = 0
      for (let at = value.length - 1; at >= 0; at--) hash = step(hash, value.charCodeAt(at))
      bits.set(bitOf(hash))
    },
    mayMatch(normalized) {
      let hash = 0
      for (let at = normalized.length - 1; at >= 0; at--) {
        const code = normalized.charCodeAt(at)
        if ((code === DOT || code === AT) && mayHold(hash)) return true
        hash = step(hash, code)
      }
      return mayHold(hash)
    },
  }
}

/** Adds one character to an FNV-1a hash. */
function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}
