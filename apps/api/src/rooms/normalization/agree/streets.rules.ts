import { type Address, readAddress } from '../addresses.rules.ts'
import { directions, streetKinds } from '../street-words.data.ts'
import { type Agreement, compatible, different, type FieldRule, same, together, unknown } from './agreement.ts'
import { townRule } from './places.rules.ts'
import { areSimilar, isWithin, plainWords, without } from './texts.rules.ts'

type Street = Address & {
  /** second number of a range or of a unit, as in `12-14` and `3/12` */
  secondNumber: string | null
  /** direction beside the name of the street, such as `north` */
  direction: string
  isCorner: boolean
  isAfrikaans: boolean
  joined: string
}

/** a number and its letter with a space between them, as in `12 A Main Road` but not in `12 B Street` */
const lostLetter = /^(\s*(?:no\.?\s*)?\d+)\s+([a-d])(?=\s+[a-z]+\s+[a-z])/i
const numberRange =
  /(?:^|[\s,])(\d+[a-z]?)\s*(?:-|–|—|\/|&|\bto\b|\bto\b|\band\b|\ben\b|\btot\b)\s*(\d+[a-z]?)(?=[\s,])/i
const corner = /\b(?:cnr|corner|hoek|crn|c\/o|h\/v)\b|[a-z]\s*&\s*[a-z]/i
const afrikaansKinds: ReadonlySet<string> = new Set(
  'straat weg pad laan rylaan singel plein plek hof steeg roete'.split(' '),
)
const afrikaansKind = /(?:straat|weg|laan|rylaan|singel)$/

/**
 * Streets and boxes, read as in matching: number, name, kind, direction, unit, building and the places behind them. Each part can be missing from one
 * of two spellings.
 */
export const streetRule: FieldRule<Street> = {
  read: (value) => {
    const typed = value.replace(lostLetter, '$1$2').replace(/\b(?:crn|c\/o|h\/v)\b/gi, 'cnr')
    const words = plainWords(typed)
    if (words.length === 0) return null
    const address = readAddress({ street: typed })
    const [, first, second] = numberRange.exec(typed) ?? []
    const isRange = first !== undefined && second !== undefined && first.toLowerCase() === address.number
    return {
      ...address,
      secondNumber: isRange ? second.toLowerCase() : null,
      direction: directionIn(words, address),
      isCorner: corner.test(typed),
      isAfrikaans: words.some((word) => afrikaansKinds.has(word) || afrikaansKind.test(word)),
      joined: joinWords(words),
    }
  },
  compare: (one, other) => {
    if (one.joined === other.joined) return same
    const named = [one, other].map(({ street, box }) => ({ hasStreet: street.length > 0, hasBox: box !== null }))
    const [mine, others] = named
    if (mine?.hasStreet !== others?.hasStreet && mine?.hasBox !== others?.hasBox) return unknown('other_part')
    const parts = [
      compareStreets(one, other),
      comparePart(one.box, other.box, 'box_missing'),
      compareNumbers(one, other),
      compareKinds(one, other),
      comparePart(one.direction || null, other.direction || null, 'direction_missing'),
      comparePart(one.unit, other.unit, 'unit_missing'),
      compareComplexes(one, other),
      compareTowns(one, other),
    ]
    return together(parts)
  },
}

/**
 * Joins the words of a street. Two numbers stay apart: `12 3rd Avenue` is not `1 23rd Avenue`, and `3/12` is not `312`. The number of a box can have a
 * space before its thousands.
 */
function joinWords(words: readonly string[]): string {
  return words.join(' ').replace(/ (?!\d)|(?<!\d) |(?<=(?:box|bag|bus|sak) x?\d{1,3}) (?=\d{3}(?!\d))/g, '')
}

/** Returns the direction directly before or behind the name of the street. */
function directionIn(words: readonly string[], { street }: Address): string {
  const [first] = street
  const last = street.at(-1)
  if (first === undefined || street.some((word) => directions.has(word))) return ''
  const start = words.findIndex((word) => word.startsWith(first))
  const end = words.findLastIndex((word) => word === last || (last !== undefined && word.startsWith(last)))
  if (start === -1 || end === -1) return ''
  const before = directions.get(words[start - 1] ?? '')
  const behind = streetKinds.has(words[end + 1] ?? '') ? words.slice(end + 2) : words.slice(end + 1)
  // A town behind the street can have a direction in its name, so only a direction that nothing else follows counts.
  const after = behind.length === 1 ? directions.get(behind[0] ?? '') : undefined
  return before ?? after ?? ''
}

type Reason = Parameters<typeof compatible>[0]

function comparePart(one: string | null, other: string | null, reason: Reason): Agreement {
  if (one === other) return same
  return one === null || other === null ? compatible(reason) : different
}

const titles: ReadonlySet<string> = new Set(
  'doctor dr president pres general genl generaal captain kaptein sir reverend rev ds prof professor chief king queen prince'.split(
    ' ',
  ),
)

function compareStreets(one: Street, other: Street): Agreement {
  const [words, otherWords] =
    one.isCorner || other.isCorner ? [cornerOf(one), cornerOf(other)] : [one.street, other.street]
  const [joined, otherJoined] = [words.join(''), otherWords.join('')]
  if (joined === otherJoined || isWithKind(one, otherJoined) || isWithKind(other, joined)) return same
  // One of the texts names only a building or a box, which the other parts compare.
  if (joined === '' || otherJoined === '')
    return sharesPlace(one, other) ? compatible('less_specific') : unknown('other_part')
  if (isInitialOf(words, otherWords) || isInitialOf(otherWords, words)) return compatible('initial')
  if (isWithin(words, otherWords)) return compareFurther(words, otherWords)
  if (isWithin(otherWords, words)) return compareFurther(otherWords, words)
  return areSimilar(joined, otherJoined) ? unknown('similar_spelling') : different
}

/** True if the name of a street ends in a word that is read as its kind, and is this name, as `Cottage Grove` for `Cottage Grove Avenue`. */
function isWithKind({ street, kind }: Street, name: string): boolean {
  return kind !== null && street.length > 0 && street.join('') + kind === name
}

function compareFurther(less: readonly string[], more: readonly string[]): Agreement {
  // The abbreviation of doctor before a name is read as that of drive.
  return without(more, less).every((word) => titles.has(word) || (word === 'drive' && more[0] === word))
    ? compatible('title_missing')
    : unknown('further_words')
}

/** Returns the names of the streets of a corner in alphabetical order, without their kinds. */
function cornerOf({ street }: Street): string[] {
  return street.filter((word) => !streetKinds.has(word)).sort()
}

function sharesPlace(one: Street, other: Street): boolean {
  return (one.box !== null && one.box === other.box) || (one.complex !== null && one.complex === other.complex)
}

function isInitialOf(short: readonly string[], long: readonly string[]): boolean {
  return (
    short.length === long.length &&
    short.every((word, at) => word === long[at] || (word.length === 1 && /[a-z]/.test(word) && long[at]?.[0] === word))
  )
}

function compareNumbers(one: Street, other: Street): Agreement {
  const [number, otherNumber] = [one.number, other.number]
  if (number === otherNumber)
    return one.secondNumber === other.secondNumber ||
      (one.secondNumber !== null && other.secondNumber !== null && isWithinRange(one.secondNumber, other))
      ? same
      : compatible('number_range')
  if (number === null || otherNumber === null) return compatible('house_number_missing')
  if (isWithinRange(number, other) || isWithinRange(otherNumber, one)) return compatible('number_range')
  if (number.replace(/\D/g, '') !== otherNumber.replace(/\D/g, '')) return different
  return /\d$/.test(number) || /\d$/.test(otherNumber) ? compatible('house_number_shortened') : different
}

function isWithinRange(number: string, { number: from, secondNumber: to }: Street): boolean {
  if (from === null || to === null) return false
  const [value, least, most] = [number, from, to].map((one) => Number.parseInt(one, 10)) as [number, number, number]
  return number === to || (value >= least && value <= most)
}

function compareKinds(one: Street, other: Street): Agreement {
  if (one.isCorner || other.isCorner || one.kind === other.kind) return same
  if (one.kind === null || other.kind === null) return compatible('street_kind_missing')
  if (isWithKind(one, other.street.join('')) || isWithKind(other, one.street.join('')))
    return compatible('street_kind_missing')
  // The kinds of the two languages do not match word for word: a "laan" is an avenue or a lane.
  return one.isAfrikaans === other.isAfrikaans ? different : unknown('ambiguous')
}

function compareComplexes({ complex: one }: Street, { complex: other }: Street): Agreement {
  if (one === null || other === null) return one === other ? same : compatible('complex_missing')
  const [words, otherWords] = [plainWords(one), plainWords(other)]
  if (words.join('') === otherWords.join('')) return same
  return isWithin(words, otherWords) || isWithin(otherWords, words)
    ? compatible('complex_missing')
    : unknown('other_part')
}

function compareTowns({ city: one }: Street, { city: other }: Street): Agreement {
  if (one === null || other === null) return one === other ? same : compatible('place_missing')
  const [town, otherTown] = [townRule.read(one, null), townRule.read(other, null)]
  if (town === null || otherTown === null) return same
  const agreement = townRule.compare(town, otherTown)
  // The places behind two streets can be a suburb and its town.
  return agreement.answer === 'different' ? unknown('other_part') : agreement
}
