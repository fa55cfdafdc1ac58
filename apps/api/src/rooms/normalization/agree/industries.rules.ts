import { compatible, different, type FieldRule, same, unknown } from './agreement.ts'
import { areSimilar, plainWords } from './texts.rules.ts'
import { generalWords, sectors, trades } from './trades.data.ts'

/** An industry: its words by the trade that they name, in alphabetical order, or the digits of a classification code. */
type Industry = { words: readonly string[]; isCode: boolean }

/** Industries: words in any order and number, in English or Afrikaans, with the sector that a trade belongs to. */
export const industryRule: FieldRule<Industry> = {
  read: (value) => {
    const all = plainWords(value).map(singular)
    if (all.length === 0) return null
    const named = all.filter((word) => !/^\d+$/.test(word))
    if (named.length === 0) return { words: all, isCode: true }
    const read = inTrades(named)
    const telling = read.filter((word) => !generalWords.has(word))
    return { words: [...new Set(telling.length > 0 ? telling : read)].sort(), isCode: false }
  },
  compare: (one, other) => {
    if (one.isCode !== other.isCode) return unknown('code_and_words')
    const [joined, otherJoined] = [one.words.join(''), other.words.join('')]
    if (joined === otherJoined) return same
    if (one.isCode) return different
    if (isLess(one.words, other.words) || isLess(other.words, one.words)) return compatible('less_specific')
    return areSimilar(joined, otherJoined) ? unknown('similar_spelling') : different
  },
}

/** Most words that one trade is written with. */
const MAX_TRADE_WORDS = 3

/** Returns the words with each run of words that names a trade replaced by that trade: `guest houses` becomes `guesthouse`. */
function inTrades(words: readonly string[]): string[] {
  const read: string[] = []
  for (let at = 0; at < words.length; ) {
    let taken = 1
    let trade = words[at] ?? ''
    for (let length = Math.min(MAX_TRADE_WORDS, words.length - at); length >= 1; length--) {
      const found = trades.get(words.slice(at, at + length).join(''))
      if (found === undefined) continue
      trade = found
      taken = length
      break
    }
    read.push(trade)
    at += taken
  }
  return read
}

/** Returns the singular of an English word, or the word without a plural ending. Both forms of a word give the same result. */
function singular(word: string): string {
  if (word.length <= 3 || word.endsWith('ss') || trades.has(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  const stem = word.replace(/e?s$/, '')
  const forms = [word.replace(/s$/, ''), stem, word.replace(/e$/, '')]
  return forms.find((form) => trades.has(form)) ?? word.replace(/s$/, '')
}

/** True if every word of `less` is in `more`, or names the sector of a trade there. */
function isLess(less: readonly string[], more: readonly string[]): boolean {
  return less.every((word) => more.some((named) => named === word || sectors.get(word)?.has(named) === true))
}
