/** 16 MB; where more is held than that is good for, a filter over it is wrong more often. */
const MOST_BITS = 2 ** 27

/** Bits, all off at first. Their number is a power of two, so that a place among them is a few bits of a hash: `hash & last`. */
export type Bits = { last: number; set(place: number): void; has(place: number): boolean }

/** For a filter of so many things with so many bits each; no fewer than `fewest`. */
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
