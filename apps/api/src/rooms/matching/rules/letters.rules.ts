import { slipsAllowed } from './edit-distance.rules.ts'

const LETTERS = 30
export const EVERY_LETTER: number = 2 ** LETTERS - 1

/** Which letters a word holds, a bit each. */
export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % LETTERS)
  return letters
}

/** And above them, how many slips the word may hold. */
export function lettersWithSlips(word: string): number {
  return lettersOf(word) | (slipsAllowed(word.length) << LETTERS)
}

/**
 * Whether two words are surely not alike, by their letters with slips: a slip brings one letter and takes one at most, and the beginning
 * of a word has none that the word has not.
 */
export function lettersDiffer(one: number, other: number): boolean {
  const [a, b] = [one & EVERY_LETTER, other & EVERY_LETTER]
  const slips = Math.max(one >>> LETTERS, other >>> LETTERS)
  return (a & ~b) !== 0 && (b & ~a) !== 0 && bitsOf(a ^ b) > 2 * slips
}

/** How many bits are set. */
export function bitsOf(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
