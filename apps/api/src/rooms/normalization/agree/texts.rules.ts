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

/** Minimum number of characters of two texts that one slip makes similar; in shorter texts one letter distinguishes two values. */
const SHORTEST_SIMILAR = 6

/**
 * True if two texts differ by one letter that was typed twice, left out, replaced, or exchanged with its neighbour. Digits must be equal, because
 * another digit is another value. Linear.
 */
export function isOneSlipApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < SHORTEST_SIMILAR || long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1
  const [left, right] = [short.slice(start, short.length - end), long.slice(start, long.length - end)]
  if (/\d/.test(left + right)) return false
  const isExchange = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
  return isExchange || right.length <= 1
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
    return isOneSlipApart(joined, otherJoined) ? unknown('similar_spelling') : different
  },
}

function contains(whole: readonly string[], part: readonly string[]): boolean {
  return ` ${whole.join(' ')} `.includes(` ${part.join(' ')} `)
}
