import { type LegalForm, legalForms, onlyAtTheEnd } from './legal-forms.data.ts'
import { descriptiveWords, fillers, namePhrases, nameSpellings, numberWords, ordinalWords } from './name-words.data.ts'
import { foldText } from './text-folding.rules.ts'

/** A name prepared for comparison. `words` are in the order of the name. `canonical` is the form for display. */
export type BusinessName = {
  canonical: string
  words: readonly string[]
  legalForm: LegalForm | null
  /** the name after "t/a" or "trading as", which is another name of the same business */
  tradingAs: readonly string[] | null
  /** the words in parentheses or after "at", if other words precede them, such as `cape town` in "Karoo Grill (Cape Town)" */
  qualifier?: readonly string[]
}

/** Maximum number of characters that are read. The rest of a longer name is ignored. */
const MAX_NAME_READ = 200
const MAX_WORDS = 16

const tradingAs = /(?:^|\s)(?:t\s?\/\s?a|t\.a\.|trading\s+as|d\s?\/\s?b\s?\/\s?a|dba|h\s?\/\s?a)\s+/
const dotted = /(?<![a-z0-9])(?:[a-z0-9][./]\s?){1,}[a-z0-9](?![a-z0-9])\.?/g
/** a legal form written without a space before it, as in SiemensAG */
const joinedForm = /(\p{Ll}{3})(AG|CC|BK|BV|NV|AB|SA|LLC|LTD|PTY|NPC|GmbH|Inc|Ltd)(?!\p{L})/gu
/** the Italian legal form, but not the word `Spa` */
const italianForm = /(?<![\w.])S(?:pA|\.\s?p\.\s?A\.?|\.P\.A\.?)(?!\w)/g
/** A name whose apostrophe was lost, such as "Nando s", or was decoded wrongly. A capital S after a space is an initial and does not match. */
const lostApostrophe = /(\p{L}{2})(?<! and| en)[^\p{L}\p{N}&+./-]+s(?![\p{L}\p{N}&+./-])/gu
const separators = /[^a-z0-9]+/

/** Parses a business name. Deterministic. The caller stores the original. */
export function readBusinessName(name: string): BusinessName {
  const [first, second] = partsOf(name)
  const { words, legalForm, qualifier } = readQualified(first)
  const other = second === undefined ? null : readWords(second)
  const tradingWords = other !== null && other.words.length > 0 ? other.words : null
  const own = words.length > 0 ? words : (tradingWords ?? onlyPictures(name))
  return {
    canonical: own.join(' '),
    words: own,
    legalForm: legalForm ?? other?.legalForm ?? null,
    tradingAs: words.length > 0 ? tradingWords : null,
    ...(qualifier.length > 0 ? { qualifier } : {}),
  }
}

type Words = { words: string[]; legalForm: LegalForm | null }

/** text in parentheses, as in `(cape town)`, but not `r(evolution)`, which is part of a word */
const inParentheses = /(?<![a-z0-9])\(([^()]*)\)(?![a-z0-9])/g
const atPlace = /^(.+?)\s(?:at|@)\s(.+)$/

/**
 * Separates the qualifier of a name, which is a place or part that one listing adds and another omits. Without words before it, the text is the name
 * itself and not a qualifier ("Bank (Ireland)", "The Club at Steyn City").
 */
function readQualified(text: string): Words & { qualifier: string[] } {
  const whole = () => ({ ...readWords(text), qualifier: [] })
  if (!mayBeQualified(text)) return whole()
  const qualifiers: string[] = []
  const outside = text.replace(inParentheses, (group, inner: string) => {
    if (isOfLegalForm(inner)) return group
    qualifiers.push(inner)
    return ' '
  })
  const [, before, place] = atPlace.exec(outside.trim()) ?? []
  if (place !== undefined) qualifiers.unshift(place)
  if (qualifiers.length === 0) return whole()
  const name = readWords(before ?? outside)
  if (!name.words.some(isOwnWord)) return whole()
  const qualifier = readWords(qualifiers.join(' '))
  return { words: name.words, legalForm: name.legalForm ?? qualifier.legalForm, qualifier: qualifier.words }
}

const beyondPty = /\((?!pty\))/

/** True if a name may have a qualifier. This fast test comes first, because nearly no name has one. */
function mayBeQualified(text: string): boolean {
  return text.includes(' at ') || text.includes(' @ ') || (text.includes('(') && beyondPty.test(text))
}

function isOwnWord(word: string): boolean {
  return !isDescriptiveWord(word) && !/^\d/.test(word)
}

/** Returns a name in the form for comparison, followed by its qualifier in parentheses, such as `karoo grill (cape town)`. */
export function comparedName({ canonical, qualifier }: BusinessName): string {
  return qualifier === undefined ? canonical : `${canonical} (${qualifier.join(' ')})`
}

/** Returns the words of a name as they are written, in lower case, without legal forms and without the part after "t/a". */
export function writtenWords(name: string): readonly string[] {
  return withoutLegalForms(rawWords(partsOf(name)[0])).rest
}

/** Returns the part of a name before "t/a" (trading as) and the part after it. */
function partsOf(name: string): [first: string, second: string | undefined] {
  const read = name.slice(0, MAX_NAME_READ)
  const written = read.includes('A') ? read.replace(italianForm, 'societa per azioni') : read
  const folded = foldText(written.replace(joinedForm, '$1 $2').replace(lostApostrophe, '$1s'))
  const [first = '', second] = folded.split(tradingAs, 2)
  return [first, second]
}

/** Returns the words of a name that has no letters or digits, such as one of emoji: all of it as one word. */
function onlyPictures(name: string): string[] {
  const shown = name.slice(0, MAX_NAME_READ).normalize('NFKC').replace(/\s+/g, '')
  return shown === '' ? [] : [shown]
}

/** True if a word describes a kind of business and therefore does not identify one. */
export function isDescriptiveWord(word: string): boolean {
  return descriptiveWords.has(word) || word.length < 2
}

function readWords(text: string): Words {
  const { rest, legalForm } = withoutLegalForms(rawWords(text))
  const spelled = numbers(phrases(rest).map(spelling))
  const telling = spelled.filter((word) => !fillers.has(word))
  return { words: (telling.length > 0 ? telling : spelled).slice(0, MAX_WORDS), legalForm }
}

function rawWords(text: string): string[] {
  const prepared = text
    .replace(/[''`´]s(?![a-z])/g, 's')
    .replace(/['`´’‘]/g, '')
    .replace(/\(\s*pty\s*\)/g, ' pty ')
    .replace(/[&+]/g, ' and ')
    .replace(/(\d)\s*%/g, '$1 per cent ')
    .replace(dotted, (initials) => ` ${initials.replace(/[^a-z0-9]/g, '')} `)
  return joinInitials(prepared.split(separators).filter((word) => word !== ''))
}

function isLetter(word: string): boolean {
  return word.length === 1 && word >= 'a' && word <= 'z'
}

/**
 * Joins initials: `c g clow` becomes `cg clow`, and `h and m` becomes `hm`. People write initials with spaces, dots, ampersands or nothing between
 * them.
 */
function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = []
  let run = ''
  for (const [at, word] of words.entries()) {
    if (isLetter(word)) run += word
    else if (!(word === 'and' && run !== '' && isLetter(words[at + 1] ?? ''))) {
      if (run !== '') joined.push(run)
      run = ''
      joined.push(word)
    }
  }
  if (run !== '') joined.push(run)
  return joined
}

type FormPhrase = { words: readonly string[]; form: LegalForm; phrase: string }

const formPhrases: readonly FormPhrase[] = (Object.keys(legalForms) as LegalForm[])
  .flatMap((form) => legalForms[form].map((phrase) => ({ form, phrase, words: phrase.split(' ') })))
  .sort((a, b) => b.words.length - a.words.length || (a.phrase < b.phrase ? -1 : 1))
const formsByLast = groupBy(formPhrases, ({ words }) => words.at(-1) ?? '')
const formsByFirst = groupBy(
  formPhrases.filter(({ phrase }) => !onlyAtTheEnd.has(phrase)),
  ({ words }) => words[0] ?? '',
)

function groupBy(phrases: readonly FormPhrase[], key: (phrase: FormPhrase) => string): Map<string, FormPhrase[]> {
  const groups = new Map<string, FormPhrase[]>()
  for (const phrase of phrases) {
    const group = groups.get(key(phrase))
    if (group === undefined) groups.set(key(phrase), [phrase])
    else group.push(phrase)
  }
  return groups
}

const formWords = new Set(formPhrases.flatMap(({ words }) => words))

/** True if a text consists of words of legal forms, such as `pty` in "(Pty) Ltd". */
function isOfLegalForm(text: string): boolean {
  return text.split(separators).every((word) => word === '' || formWords.has(word))
}

/** Removes legal forms from both ends of a name, as long as other words remain. Returns the last form on the right as the legal form. */
function withoutLegalForms(words: readonly string[]): { rest: readonly string[]; legalForm: LegalForm | null } {
  let rest = words
  let legalForm: LegalForm | null = null
  for (;;) {
    const end = formsByLast.get(rest.at(-1) ?? '')?.find(({ words: form }) => endsWith(rest, form))
    if (end !== undefined) {
      rest = rest.slice(0, -end.words.length)
      if (legalForm === null || legalForm === 'company') legalForm = end.form
      continue
    }
    const start = formsByFirst.get(rest[0] ?? '')?.find(({ words: form }) => startsWith(rest, form))
    if (start === undefined) return { rest, legalForm }
    rest = rest.slice(start.words.length)
    if (legalForm === null || legalForm === 'company') legalForm = start.form
  }
}

const southAfrican: ReadonlySet<LegalForm> = new Set([
  'private_company',
  'limited_company',
  'close_corporation',
  'non_profit',
  'personal_liability',
  'state_owned',
])

/**
 * Removes legal forms from the end of a name, as long as other words remain. Forms that are also ordinary words (trust, company) stay, because a
 * search for "Karoo Trust" means the trust.
 */
export function withoutFormAtEnd(words: readonly string[]): readonly string[] {
  let rest = words
  for (;;) {
    const end = formsByLast
      .get(rest.at(-1) ?? '')
      ?.find((one) => (southAfrican.has(one.form) || !onlyAtTheEnd.has(one.phrase)) && endsWith(rest, one.words))
    if (end === undefined) return rest
    rest = rest.slice(0, -end.words.length)
  }
}

function endsWith(words: readonly string[], form: readonly string[]): boolean {
  const at = words.length - form.length
  return (
    at > 0 &&
    form.every((word, index) => words[at + index] === word) &&
    words.slice(0, at).some((word) => word !== 'the')
  )
}

function startsWith(words: readonly string[], form: readonly string[]): boolean {
  return words.length > form.length && form.every((word, index) => words[index] === word)
}

const phraseWords = namePhrases.map(([phrase, word]) => ({ words: phrase.split(' '), word }))
const phraseStarts = new Set(phraseWords.map(({ words }) => words[0]))

function phrases(words: readonly string[]): readonly string[] {
  if (!words.some((word) => phraseStarts.has(word))) return words
  const read: string[] = []
  for (let at = 0; at < words.length; ) {
    const found = phraseWords.find(({ words: phrase }) => phrase.every((word, index) => words[at + index] === word))
    read.push(found?.word ?? words[at] ?? '')
    at += found?.words.length ?? 1
  }
  return read
}

/** Returns the common spelling of a word: `organisation` becomes `organization`, and abbreviations are expanded. */
function spelling(word: string): string {
  const known = nameSpellings.get(word) ?? ordinalWords.get(word)
  if (known !== undefined) return known
  return word.replace(/isation(s?)$/, 'ization$1').replace(/ise$/, 'ize')
}

/** Converts number words to digits. `forty four` becomes `44`, and a single word such as `four` becomes `4`. */
function numbers(words: readonly string[]): string[] {
  const read: string[] = []
  for (const word of words) {
    const value = numberWords.get(word) ?? (/^\d$/.test(word) ? Number(word) : undefined)
    const last = read.at(-1)
    if (value === undefined) read.push(word)
    else if (value < 10 && last !== undefined && /^[2-9]0$/.test(last))
      read[read.length - 1] = String(Number(last) + value)
    else read.push(String(value))
  }
  return read
}
