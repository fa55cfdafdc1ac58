/** Bits of the filter: with as many places as are held, one value in some dozens is looked at more closely than it had to be. */
const FILTER_BITS = 2 ** 20
const DOT = 46

const AT = 64

export type EntryPlaces = {
  /** Whether an entry stands at a normalized number, host or address, or at a host above. */
  reach(normalized: string): boolean
}

/**
 * The places of a tenant's live entries (`placesOf`), asked about millions of values. A value is walked from its end, so that each host
 * above it costs no more than its letters; only where the hash is that of an entry's place is the text compared.
 */
export function createEntryPlaces(held: ReadonlySet<string>): EntryPlaces {
  const bits = new Uint8Array(FILTER_BITS / 8)
  for (const place of held) {
    const bit = hashOf(place)
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  const isHeld = (hash: number, value: string, from: number) => {
    const bit = filterBit(hash)
    return ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0 && held.has(value.slice(from))
  }
  return {
    reach(normalized) {
      let hash = 0
      for (let at = normalized.length - 1; at >= 0; at--) {
        const code = normalized.charCodeAt(at)
        if ((code === DOT || code === AT) && isHeld(hash, normalized, at + 1)) return true
        hash = step(hash, code)
      }
      return isHeld(hash, normalized, 0)
    },
  }
}

function hashOf(place: string): number {
  let hash = 0
  for (let at = place.length - 1; at >= 0; at--) hash = step(hash, place.charCodeAt(at))
  return filterBit(hash)
}

/** FNV-1a */
function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

function filterBit(hash: number): number {
  return (hash ^ (hash >>> 15)) & (FILTER_BITS - 1)
}
