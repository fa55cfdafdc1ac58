import { createBits } from './bits.ts'

export type Hash = readonly [high: number, low: number]

/** Returns two independent 32-bit hashes of a text (FNV-1a and a multiplicative hash, each finished by an avalanche). Not for secrets. */
export function hashesOf(text: string, seed = 0): Hash {
  let a = 0x811c9dc5 ^ seed
  let b = 0x9e3779b9 + seed
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 15)
  }
  return [avalanche(a), avalanche(b)]
}

function avalanche(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Number of bits per entry. With it, one in some hundreds of lookups is a false positive. */
const BITS_EACH = 12
const PROBES = 5
const FEWEST_BITS = 8_192

export type TextFilter = {
  add(hash: Hash): void
  /** false if the text was certainly not added; true can be a false positive */
  mayHold(hash: Hash): boolean
}

/** Creates a Bloom filter, which stores a set of texts in little memory. */
export function createTextFilter(expected: number): TextFilter {
  const bits = createBits({ expected, each: BITS_EACH, fewest: FEWEST_BITS })
  const placeOf = ([high, low]: Hash, probe: number) => (high + Math.imul(probe, low)) & bits.last
  return {
    add(hash) {
      for (let probe = 0; probe < PROBES; probe++) bits.set(placeOf(hash, probe))
    },
    mayHold(hash) {
      for (let probe = 0; probe < PROBES; probe++) if (!bits.has(placeOf(hash, probe))) return false
      return true
    },
  }
}
