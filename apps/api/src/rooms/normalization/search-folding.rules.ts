import { withoutFormAtEnd } from './business-names.rules.ts'
import { foldText, withoutUnseen } from './text-folding.rules.ts'

/** Maximum number of characters that are folded, counted after NFKC, which can make a text eighteen times longer. The rest is ignored. */
const MAX_FOLDED = 1_000

/** An `s` whose apostrophe was lost or decoded wrongly, as in `Nando s`. A capital S is an initial and does not match. */
const lostApostrophe = /(\p{L}{2})(?<! and| en)[^\p{L}\p{N}&+./-]+s(?![\p{L}\p{N}&+./-])/gu
const apostrophes = /['`"]/g
/** An `n` between two words that stands for "and", as in `Rock'n'Roll`. */
const andInWord = /(?<=[a-z])['`]n['`](?=[a-z])/g
/** Signs for "and". A plus before a digit is the start of a phone number. */
const and = /&|\+(?!\d)/g
const joiners = /[-./]/g
const joinersInWords = /(?<=[a-z0-9])[-./]+(?=[a-z0-9])/g
const separators = /[!?:;,()[\]{}<>|]/g

const connectors = new Set(['and', 'en', 'n'])

/**
 * Folds a text for search and filters: two spellings that people use for one name have the same form. Apostrophes, hyphens and dots are removed from
 * words (`Nando’s`, `Coca-Cola`, `A.B.C.`), initials are joined, `&`, `and`, `en` and `'n` between words are dropped, and so are legal forms at the
 * end, accents, strokes of letters and invisible characters. Other scripts become Latin letters. Deterministic and linear; reads at most
 * `MAX_FOLDED` characters. Returns an empty string for a text without letters, digits and signs that it keeps, such as one of emoji.
 */
export function searchFold(text: string): string {
  return joinInitials(wordsIn(prepare(text).replace(joinersInWords, ''))).join(' ')
}

/**
 * Returns the forms by which a search finds a text, each once: the one of `searchFold`, and one in which hyphens, dots and slashes separate words, so
 * that `Coca-Cola` is found by `cocacola` and by `coca cola`.
 */
export function searchForms(text: string): string[] {
  const prepared = prepare(text)
  const open = wordsIn(prepared).join(' ')
  const joined = joinInitials(wordsIn(prepared.replace(joinersInWords, ''))).join(' ')
  return [...new Set([joined, open])].filter((form) => form !== '')
}

const articles = /^(?:the|die) (?=.)/

/** Returns the key by which two spellings of a name are equal: the form of `searchFold` without spaces and without an article at the beginning. A name
 * without any of its characters, such as one of emoji, is its own key. */
export function nameKeyOf(name: string): string {
  const key = searchFold(name).replace(articles, '').replaceAll(' ', '')
  return key === '' ? name.slice(0, MAX_FOLDED).normalize('NFKC').slice(0, MAX_FOLDED).replace(/\s+/g, '') : key
}

function prepare(text: string): string {
  const read = withoutUnseen(text.slice(0, MAX_FOLDED)).normalize('NFKC').slice(0, MAX_FOLDED).toWellFormed()
  return foldText(read.replace(lostApostrophe, '$1s'))
    .replace(andInWord, ' and ')
    .replace(apostrophes, '')
    .replace(and, ' and ')
    .replace(separators, ' ')
}

/** Returns the words of a prepared text, without connectors between words and without legal forms at the end. */
function wordsIn(prepared: string): readonly string[] {
  const words = prepared
    .replace(joiners, ' ')
    .split(/[^!-~]+/)
    .filter((word) => word !== '')
  const telling = words.filter((word, at) => at === 0 || at === words.length - 1 || !connectors.has(word))
  return withoutFormAtEnd(telling)
}

/** Joins initials: `a b c motors` becomes `abc motors`. */
function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = []
  let isInRun = false
  for (const word of words) {
    const isLetter = /^[a-z]$/.test(word)
    if (isLetter && isInRun) joined.push(`${joined.pop() ?? ''}${word}`)
    else joined.push(word)
    isInRun = isLetter
  }
  return joined
}
