import { slipsAllowed } from './edit-distance.rules.ts'

const LETTERS = 30
export const EVERY_LETTER: number = 2 ** LETTERS - 1

/** Returns the bit mask of the letters in a word. */
export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % LETTERS)
  return letters
}

/** Returns the bit mask of the letters in a word. The bits above the letters contain the number of slips that the word may have. */
export function lettersWithSlips(word: string): number {
  return lettersOf(word) | (slipsAllowed(word.length) << LETTERS)
}

/**
 * True if the letters of two words, with the slips allowed in each, prove that the words are different. A slip adds and removes at most one letter,
 * and an abbreviation has no letters that its word lacks.
 */
export function lettersDiffer(one: number, other: number): boolean {
  const [a, b] = [one & EVERY_LETTER, other & EVERY_LETTER]
  const slips = Math.max(one >>> LETTERS, other >>> LETTERS)
  return (a & ~b) !== 0 && (b & ~a) !== 0 && bitsOf(a ^ b) > 2 * slips
}

/** Number of bits set. */
export function bitsOf(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
