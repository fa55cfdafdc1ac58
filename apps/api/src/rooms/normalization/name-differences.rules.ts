import { readBusinessName, writtenWords } from './business-names.rules.ts'
import { fillers, isTranslated } from './name-words.data.ts'

/** Two spellings of one word. */
type WordDifference = { one: string; other: string; isTranslation: boolean }

/**
 * Returns the words in which two names differ although the names are read as the same, such as `loodgieters` and `plumbing`, or `forty four` and
 * `44`. Returns nothing if the names differ only in case, punctuation, legal form or words such as "the". Also returns nothing if the parts before
 * "t/a" are read as different names.
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
  // The remaining words differ as a whole, such as `forty four` and `44`.
  if (alone.length > 0 && otherLeft.length > 0) differences.push(differenceOf(alone.join(' '), otherLeft.join(' ')))
  return differences
}

function differenceOf(one: string, other: string): WordDifference {
  return { one, other, isTranslation: isTranslated(one) || isTranslated(other) }
}

function tellingWords(name: string): string[] {
  return writtenWords(name).filter((word) => !fillers.has(word))
}

/** Returns the words of a name without spaces between them, because `good will` equals `goodwill`. */
function joined(name: string): string {
  return readBusinessName(name).words.join('')
}

function readAs(word: string): string {
  return readBusinessName(word).canonical
}

/** Returns the words that are not in `taken`. A repeated word counts as often as it occurs. */
function without(words: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken]
  return words.filter((word) => {
    const at = left.indexOf(word)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}
