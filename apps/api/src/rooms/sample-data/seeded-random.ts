import { seededNumbers } from '../../lib/seeded-numbers.ts'

/** A repeatable random number generator: the same seed gives the same choices on every machine. Not suitable for secrets. */
export type SeededRandom = {
  /** returns a number that is at least 0 and less than 1 */
  next(): number
  /** returns an integer between `from` and `to`, both included */
  int(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** returns an item; the probability of each item is proportional to its weight */
  weigh<T>(items: readonly T[], weightOf: (item: T) => number): T
  /** returns up to `count` different items in random order */
  some<T>(items: readonly T[], count: number): T[]
}

export function seededRandom(seed: number): SeededRandom {
  const next = seededNumbers(seed)

  function int(from: number, to: number): number {
    return from + Math.floor(next() * (to - from + 1))
  }

  function pick<T>(items: readonly T[]): T {
    const picked = items[int(0, items.length - 1)]
    if (picked === undefined) throw new RangeError('nothing to pick from')
    return picked
  }

  function weigh<T>(items: readonly T[], weightOf: (item: T) => number): T {
    let left = next() * items.reduce((sum, item) => sum + weightOf(item), 0)
    for (const item of items) {
      left -= weightOf(item)
      if (left < 0) return item
    }
    return pick(items)
  }

  function some<T>(items: readonly T[], count: number): T[] {
    const rest = [...items]
    const chosen: T[] = []
    while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(int(0, rest.length - 1), 1))
    return chosen
  }

  return { next, int, chance: (probability) => next() < probability, pick, weigh, some }
}
