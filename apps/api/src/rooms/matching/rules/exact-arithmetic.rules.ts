import { type Band, bands } from './matching-configuration.data.ts'

/*
 * `Math.log2` and `Math.pow` can differ in the last digit between machines. Addition, multiplication, division and square root are exact (IEEE 754),
 * so scores use only those operations: the same input gives the same bytes on every machine.
 */

const FRACTION_BITS = 12
const MILLIBITS = 1_000

/** The roots 2^(1/2), 2^(1/4), …; every power of two is a product of them. */
const roots: readonly number[] = Array.from({ length: FRACTION_BITS }).reduce<number[]>(
  (found) => [...found, Math.sqrt(found.at(-1) ?? 2)],
  [],
)

/** Returns log2 of an integer of at least 1, in thousandths, rounded down. */
export function log2Thousandths(value: number): number {
  let whole = 0
  let rest = value
  while (rest >= 2) {
    rest /= 2
    whole += 1
  }
  let fraction = 0
  for (let bit = 1; bit <= FRACTION_BITS; bit++) {
    rest *= rest
    if (rest >= 2) {
      rest /= 2
      fraction += 1 / 2 ** bit
    }
  }
  return Math.floor((whole + fraction) * MILLIBITS)
}

function powerOfTwo(thousandths: number): number {
  const whole = Math.floor(thousandths / MILLIBITS)
  let fraction = (thousandths - whole * MILLIBITS) / MILLIBITS
  let power = 1
  for (const root of roots) {
    fraction *= 2
    if (fraction >= 1) {
      fraction -= 1
      power *= root
    }
  }
  for (let step = 0; step < Math.abs(whole); step++) power = whole > 0 ? power * 2 : power / 2
  return power
}

const MOST_BITS = 30_000

/** Returns the probability for a weight, rounded half up to four decimals. Bands compare this rounded score. */
export function scoreOf(weight: number): number {
  const bounded = Math.max(-MOST_BITS, Math.min(MOST_BITS, weight))
  return Math.floor((1 / (1 + powerOfTwo(-bounded))) * 10_000 + 0.5) / 10_000
}

export function bandOf(score: number): Band | null {
  if (score >= bands.strong) return 'strong'
  return score >= bands.review ? 'review' : null
}

/** The lowest weight whose score reaches the review band, below which a suggestion is not stored. */
export const leastKeptWeight: number = leastWeight()

function leastWeight(): number {
  let weight = 0
  while (bandOf(scoreOf(weight)) === null) weight += 1
  return weight
}
