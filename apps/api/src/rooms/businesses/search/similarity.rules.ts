import { searchFold } from '../../normalization/normalization.ts'

/** Minimum similarity of a name to be shown, and of the worst of its words. */
const MIN_SIMILARITY = 0.65
const MIN_OF_A_WORD = 0.5
const MAX_WORDS = 12
const MAX_LENGTH_DIFFERENCE = 3

/** Returns the pairs of neighbouring characters of a word, with its ends, each numbered by its occurrence. */
function pairsOf(word: string): Set<string> {
  const pairs = new Set<string>()
  const occurrences = new Map<string, number>()
  const marked = ` ${word} `
  for (let at = 0; at + 1 < marked.length; at++) {
    const pair = marked.slice(at, at + 2)
    const count = (occurrences.get(pair) ?? 0) + 1
    occurrences.set(pair, count)
    pairs.add(`${pair}${count}`)
  }
  return pairs
}

/** Returns consecutive words, joined, of about the given length. */
function runsOf(words: readonly string[], length: number): string[] {
  const runs: string[] = []
  for (let from = 0; from < words.length; from++) {
    let run = ''
    for (const word of words.slice(from)) {
      run += word
      if (Math.abs(run.length - length) <= MAX_LENGTH_DIFFERENCE) runs.push(run)
    }
  }
  return runs
}

/** Returns the share of common pairs of two words: 1 for equal words, 0 for words without a common pair. Symmetric. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const pair of one) if (other.has(pair)) common += 1
  return (2 * common) / (one.size + other.size)
}

/**
 * Returns a function that rates names by their similarity to a typed text: 1 for a name with all of its words, 0 for an unlike name. It compares each
 * typed word with the most similar word of the name, and the whole text without spaces with consecutive words of the name, so that a name may have more
 * words than were typed.
 */
export function similarityTo(typed: string): (name: string) => number {
  const folded = searchFold(typed)
  const joined = folded.replaceAll(' ', '')
  const whole = pairsOf(joined)
  const wanted = folded.split(' ').map((word) => ({ pairs: pairsOf(word), length: word.length }))
  const letters = wanted.reduce((sum, { length }) => sum + length, 0)
  return (name) => {
    const text = searchFold(name)
    if (text === '' || folded === '') return 0
    const ownWords = text.split(' ').slice(0, MAX_WORDS)
    const words = ownWords.map(pairsOf)
    const shares = wanted.map(({ pairs, length }) => ({
      length,
      share: Math.max(...words.map((word) => shareOf(pairs, word))),
    }))
    const byWords = shares.some(({ share }) => share < MIN_OF_A_WORD)
      ? 0
      : shares.reduce((sum, { share, length }) => sum + share * length, 0) / letters
    const similarity = Math.max(byWords, ...runsOf(ownWords, joined.length).map((run) => shareOf(whole, pairsOf(run))))
    return similarity < MIN_SIMILARITY ? 0 : similarity
  }
}
