import { foldText } from '../text-folding.rules.ts'
import type { Agreement } from './agreement.ts'
import { compatible, different, type FieldRule, same, unknown } from './agreement.ts'

/** Returns the words of a text in lower case, without accents, apostrophes and dots. */
export function plainWords(text: string): string[] {
  return foldText(text)
    .replace(/['’‘`´.]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** Minimum number of letters of two texts that a slip makes similar. In shorter texts one letter distinguishes two values. */
const SHORTEST_SIMILAR = 5
/** minimum number of letters if a letter is replaced by another one, as in `Meyer` and `Meier` */
const SHORTEST_REPLACED = 6
/** minimum number of letters of two texts that two slips make similar */
const SHORTEST_TWO_SLIPS = 12

/**
 * True if two texts differ by a slip: a letter that was left out, added, replaced, or exchanged with its neighbour; in a long text by two slips. Digits
 * must be equal, because another digit is another value. The time is linear.
 */
export function areSimilar(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < SHORTEST_SIMILAR || long.length - short.length > 2) return false
  if (one.replace(/\D/g, '') !== other.replace(/\D/g, '')) return false
  const slips = slipsBetween(short, long)
  // Two replaced letters usually make another word, such as `north` and `south`.
  const hasReplaced = short.length === long.length && !isExchange(short, long)
  if (slips === 1) return !hasReplaced || short.length >= SHORTEST_REPLACED
  return slips === 2 && !hasReplaced && short.length >= SHORTEST_TWO_SLIPS
}

function isExchange(one: string, other: string): boolean {
  return [...one].sort().join('') === [...other].sort().join('')
}

const MAX_SLIPS = 2

/**
 * Returns the number of slips between two texts, or a larger number if they are more than `MAX_SLIPS`. Only the diagonals of the matrix of distances
 * that can hold so few slips are computed.
 */
function slipsBetween(one: string, other: string): number {
  const width = 2 * MAX_SLIPS + 1
  const far = MAX_SLIPS + 1
  let before: number[] = []
  let last: number[] = Array.from({ length: width }, (_, at) => (at < MAX_SLIPS ? far : at - MAX_SLIPS))
  for (let row = 1; row <= one.length; row++) {
    const next: number[] = []
    for (let at = 0; at < width; at++) {
      const column = row + at - MAX_SLIPS
      if (column < 0 || column > other.length) {
        next.push(far)
        continue
      }
      if (column === 0) {
        next.push(row)
        continue
      }
      const replaced = (last[at] ?? far) + (one[row - 1] === other[column - 1] ? 0 : 1)
      const exchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
          ? (before[at] ?? far) + 1
          : far
      next.push(Math.min(replaced, exchanged, (last[at + 1] ?? far) + 1, (next[at - 1] ?? far) + 1))
    }
    before = last
    last = next
  }
  return last[other.length - one.length + MAX_SLIPS] ?? far
}

/** True if the words of `part` occur in `whole` in the same order. */
export function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const word of whole) if (word === part[at]) at += 1
  return at === part.length
}

/** Returns the words of `words` that `taken` lacks. A repeated word counts as often as it occurs. */
export function without(words: readonly string[], taken: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of taken) counts.set(word, (counts.get(word) ?? 0) + 1)
  return words.filter((word) => {
    const left = counts.get(word) ?? 0
    if (left > 0) counts.set(word, left - 1)
    return left === 0
  })
}

/** Free text: equal words in the same order, whatever their case, accents and punctuation. */
export const textRule: FieldRule<string[]> = {
  read: (value) => {
    const words = plainWords(value)
    return words.length === 0 ? null : words
  },
  compare: (one, other): Agreement => {
    const [joined, otherJoined] = [one.join(''), other.join('')]
    if (joined === otherJoined) return same
    if (contains(one, other) || contains(other, one)) return compatible('text_shortened')
    return areSimilar(joined, otherJoined) ? unknown('similar_spelling') : different
  },
}

function contains(whole: readonly string[], part: readonly string[]): boolean {
  return ` ${whole.join(' ')} `.includes(` ${part.join(' ')} `)
}
