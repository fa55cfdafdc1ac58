import { readBusinessName, writtenWords } from './business-names.rules.ts'
import { fillers, isTranslated } from './name-words.data.ts'

/** Two spellings of one word. */
type WordDifference = { one: string; other: string; isTranslation: boolean }

/**
 * Returns the different words of two names that are read as the same: `loodgieters` and `plumbing`, `forty four` and `44`. Empty if the names differ
 * only in case, punctuation, legal form or fillers, or are not read as the same before "t/a".
 */
export function wordDifferences(one: string, other: string): WordDifference[] {
  if (joined(one) !== joined(other)) return []
  const words = tellingWords(one)
  const others = tellingWords(other)
  const left = without(words, others)
  const otherLeft = without(others, words)
  const differences: WordDifference[] = []
  const alone = left.filter((word) => {
    const at = otherLeft.findIndex((candidate) => readAs(candidate) === readAs(word))
    if (at === -1) return true
    differences.push(differenceOf(word, otherLeft.splice(at, 1).join('')))
    return false
  })
  // Several words equal one word or several others.
  if (alone.length > 0 && otherLeft.length > 0) differences.push(differenceOf(alone.join(' '), otherLeft.join(' ')))
  return differences
}

function differenceOf(one: string, other: string): WordDifference {
  return { one, other, isTranslation: isTranslated(one) || isTranslated(other) }
}

function tellingWords(name: string): string[] {
  return writtenWords(name).filter((word) => !fillers.has(word))
}

/** Joins the words, because `good will` equals `goodwill`. */
function joined(name: string): string {
  return readBusinessName(name).words.join('')
}

function readAs(word: string): string {
  return readBusinessName(word).canonical
}

/** Returns the multiset difference: each word as often as it exceeds its count in `taken`. */
function without(words: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken]
  return words.filter((word) => {
    const at = left.indexOf(word)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}
