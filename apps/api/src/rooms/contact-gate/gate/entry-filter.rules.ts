import { createBits } from '../../../lib/bits.ts'

/** Bits of the filter for each place: of the values that stand at none, one in some dozens is looked at more closely than it had to be. */
const BITS_EACH = 32
const FEWEST_BITS = 2 ** 20
const DOT = 46
const AT = 64

export type EntryFilter = {
  add(place: string): void
  /** Whether an entry stands at a normalized number, host or address, or at a host above. False is certain. */
  mayMatch(normalized: string): boolean
}

/**
 * The places of a tenant's live entries (`matchableValuesOf`), asked about millions of values. A value is walked from its end, so that each host
 * above it costs no more than its letters.
 */
export function createEntryFilter(expected: number): EntryFilter {
  const bits = createBits({ expected, each: BITS_EACH, fewest: FEWEST_BITS })
  const bitOf = (hash: number) => (hash ^ (hash >>> 15)) & bits.last
  const mayHold = (hash: number) => bits.has(bitOf(hash))
  return {
    add(place) {
      let hash = 0
      for (let at = place.length - 1; at >= 0; at--) hash = step(hash, place.charCodeAt(at))
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

/** FNV-1a */
function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}
