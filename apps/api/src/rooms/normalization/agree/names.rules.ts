import { type BusinessName, isDescriptiveWord, readBusinessName, writtenWords } from '../business-names.rules.ts'
import type { LegalForm } from '../legal-forms.data.ts'
import { fillers, isTranslated } from '../name-words.data.ts'
import { type Agreement, compatible, different, type FieldRule, same, together, unknown } from './agreement.ts'
import { isPlaceName, placeNameOf } from './places.rules.ts'
import { areSimilar, isWithin, without } from './texts.rules.ts'
import { trades } from './trades.data.ts'

type Name = BusinessName & {
  /** words that identify the business, and behind them those of its qualifier */
  all: readonly string[]
  /** words as they are written, to recognise translations and abbreviations */
  written: Written
  /** as `written`, without the qualifier */
  writtenName: Written
}

/** Words as they are written, without fillers; `small` are fillers such as "the" and "and" by their meaning. */
type Written = { words: readonly string[]; small: readonly string[] }

/** a company whose memorandum has special conditions; the note belongs to the legal form, and registers omit it */
const ringFenced = /\(\s*rf\s*\)/gi

/**
 * Names of businesses. They are read as in matching: legal forms, spellings and translations of words, initials, qualifiers and "trading as". Two legal
 * forms are two businesses; a missing legal form is not.
 */
export const nameRule: FieldRule<Name> = {
  read: (value) => {
    const typed = value.replace(ringFenced, ' ')
    const name = readBusinessName(typed)
    if (name.words.length === 0) return null
    const written = writtenIn(typed)
    return {
      ...name,
      all: [...name.words, ...(name.qualifier ?? [])],
      written,
      writtenName:
        name.qualifier === undefined ? written : writtenIn(typed.replace(/\([^()]*\)|\s(?:at|@)\s.*$/gi, ' ')),
    }
  },
  compare: (one, other) => {
    const words = compareWords(one, other)
    if (words.answer === 'different') return compareTradingNames(one, other) ?? words
    return together([words, compareLegalForms(one.legalForm, other.legalForm), compareSecondNames(one, other)])
  },
}

function writtenIn(typed: string): Written {
  const words = writtenWords(typed)
  return {
    words: words.filter((word) => !fillers.has(word)),
    small: words.flatMap((word) => smallWords.get(word) ?? []),
  }
}

const smallWords = new Map([
  ...['the', 'die'].map((word) => [word, 'the'] as const),
  ...['and', 'en', 'und', 'et', 'y', 'n'].map((word) => [word, 'and'] as const),
  ...['of', 'de', 'la', 'le', 'by', 'vir', 'for'].map((word) => [word, 'of'] as const),
])

function compareWords(one: Name, other: Name): Agreement {
  const [joined, otherJoined] = [one.words.join(''), other.words.join('')]
  if (joined === otherJoined)
    return together([compareQualifiers(one, other), compareSpelling(one.writtenName, other.writtenName)])
  const [all, otherAll] = [one.all.join(''), other.all.join('')]
  if (all === otherAll) return compareSpelling(one.written, other.written)
  if (isInitialsOf(one.all, other.all) || isInitialsOf(other.all, one.all)) return compatible('initial')
  if (isWithin(one.all, other.all)) return compareFurther(one.all, other.all)
  if (isWithin(other.all, one.all)) return compareFurther(other.all, one.all)
  if (one.all.length === other.all.length && without(one.all, other.all).length === 0) return unknown('word_order')
  return areSimilar(all, otherAll) ? unknown('similar_spelling') : different
}

/** Compares the spelling of names whose words are read as the same. */
function compareSpelling(one: Written, other: Written): Agreement {
  if (one.words.join('') !== other.words.join('')) {
    const translated = [...without(one.words, other.words), ...without(other.words, one.words)].some(isTranslated)
    return compatible(translated ? 'translation' : 'word_form')
  }
  if (one.small.join(' ') === other.small.join(' ')) return same
  const isArticle = [...without(one.small, other.small), ...without(other.small, one.small)].every(
    (word) => word === 'the',
  )
  return compatible(isArticle ? 'article_missing' : 'small_word_missing')
}

function compareQualifiers({ qualifier: one }: Name, { qualifier: other }: Name): Agreement {
  if (one === undefined && other === undefined) return same
  if (one === undefined || other === undefined) return compatible('qualifier_missing')
  if (one.join('') === other.join('') || placeNameOf(one) === placeNameOf(other)) return same
  return isWithin(one, other) || isWithin(other, one) ? compatible('qualifier_missing') : different
}

/** Compares a name with one that has further words. Only words that name a trade or a place can be omitted from the name of the same business. */
function compareFurther(less: readonly string[], more: readonly string[]): Agreement {
  const further = without(more, less)
  if (!less.some((word) => !isDescriptiveWord(word))) return unknown('further_words')
  if (further.every((word) => trades.has(word) || isTradeWord(word))) return compatible('trade_word_missing')
  return isPlaceName(further) ? compatible('place_missing') : unknown('further_words')
}

/** Words that say what a business sells, which people omit from its name. */
const tradeWords: ReadonlySet<string> = new Set(
  `restaurant cafe coffee shop store grill bistro diner pub bar eatery pizzeria steakhouse takeaways takeaway bakery butchery pharmacy salon spa motors
  plumbing electrical construction attorneys catering lodge guesthouse hotel supermarket hardware kitchen tavern`.split(
    /\s+/,
  ),
)

function isTradeWord(word: string): boolean {
  return tradeWords.has(word)
}

const MAX_INITIALS = 4

/**
 * True if some words of `short` are the initials of words of `long`, and all other words are equal: `j smith` for `john smith`, `jp smith` for `johan
 * pieter smith`.
 */
function isInitialsOf(short: readonly string[], long: readonly string[]): boolean {
  let at = 0
  let hasInitials = false
  for (const word of short) {
    if (word === long[at]) {
      at += 1
      continue
    }
    const run = long.slice(at, at + word.length)
    if (word.length > MAX_INITIALS || run.length < word.length || /\d/.test(word)) return false
    if (run.map((other) => other[0]).join('') !== word) return false
    hasInitials = true
    at += word.length
  }
  return hasInitials && at === long.length
}

/** Legal forms by those that people shorten to them: `(Pty) Ltd` is written as `Ltd`. */
const longerForms: Partial<Record<LegalForm, readonly LegalForm[]>> = {
  limited_company: ['private_company', 'public_company', 'state_owned', 'limited_liability'],
}

function compareLegalForms(one: LegalForm | null, other: LegalForm | null): Agreement {
  if (one === other) return same
  if (one === null || other === null) return compatible('legal_form_missing')
  if (one === 'company' || other === 'company') return compatible('legal_form_shortened')
  const isShortened = longerForms[one]?.includes(other) === true || longerForms[other]?.includes(one) === true
  return isShortened ? compatible('legal_form_shortened') : different
}

/** Compares the names after "trading as" of two names that agree before it. */
function compareSecondNames({ tradingAs: one }: Name, { tradingAs: other }: Name): Agreement {
  if (one === null && other === null) return same
  if (one === null || other === null) return compatible('trading_name_missing')
  return one.join('') === other.join('') ? same : unknown('other_trading_name')
}

/** Compares names of which one has a trading name that is the other's name. Undefined if neither has one. */
function compareTradingNames(one: Name, other: Name): Agreement | undefined {
  const [joined, otherJoined] = [one.all.join(''), other.all.join('')]
  if (one.tradingAs?.join('') === otherJoined || other.tradingAs?.join('') === joined)
    return compatible('registered_name_missing')
  return one.tradingAs !== null && one.tradingAs.join('') === other.tradingAs?.join('')
    ? unknown('other_trading_name')
    : undefined
}
