/** Maximum number of bits (16 MB). A filter with more entries has more false positives. */
const MOST_BITS = 2 ** 27

/** A set of bits, initially empty. Its size is a power of two, so that `hash & last` gives the position of a hash. */
export type Bits = { last: number; set(place: number): void; has(place: number): boolean }

/** Creates the bits of a filter for `expected` entries, with `each` bits per entry and at least `fewest` bits. */
export function createBits({ expected, each, fewest }: { expected: number; each: number; fewest: number }): Bits {
  const bits = Math.min(MOST_BITS, 2 ** Math.ceil(Math.log2(Math.max(fewest, expected * each))))
  const bytes = new Uint8Array(bits / 8)
  return {
    last: bits - 1,
    set: (place) => {
      bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7))
    },
    has: (place) => ((bytes[place >> 3] ?? 0) & (1 << (place & 7))) !== 0,
  }
}
