import { seededNumbers } from '../../lib/seeded-numbers.ts'

/** A repeatable source of choices: the same seed gives the same choices on every machine. Not for secrets. */
export type SeededRandom = {
  /** at least 0, less than 1 */
  next(): number
  /** an integer, both ends included */
  int(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** an item, chosen with the probability of its weight */
  weigh<T>(items: readonly T[], weightOf: (item: T) => number): T
  /** up to `count` different items, in random order */
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
