import { findProvinceCode } from '../provinces.rules.ts'
import { directions, streetSpellings } from '../street-words.data.ts'
import { suburbs, towns } from '../towns.data.ts'
import { compatible, different, type FieldRule, same, unknown } from './agreement.ts'
import { countryCodes } from './countries.data.ts'
import { metropolisOf } from './metropolises.data.ts'
import { areSimilar, isWithin, plainWords, without } from './texts.rules.ts'

/** Directions as whole words. A single letter is an initial. */
function wordOfPlace(word: string): string {
  return placeWords.get(word) ?? (word.length > 2 ? (directions.get(word) ?? word) : word)
}

const placeWords = new Map([
  ...['mt', 'st', 'sint', 'ft', 'hts'].map((word) => [word, streetSpellings.get(word) ?? word] as const),
  ['baai', 'bay'],
  ['rivier', 'river'],
  ['vallei', 'valley'],
  ['uitbreiding', 'ext'],
  ['extension', 'ext'],
  ['uitb', 'ext'],
  ['extn', 'ext'],
  ['x', 'ext'],
])

/** Returns the words of a place without spaces, with Afrikaans endings in English, so that `Plettenbergbaai` equals `Plettenberg Bay`. */
function joinedName(words: readonly string[]): string {
  return words
    .map(wordOfPlace)
    .join('')
    .replace(/baai$/, 'bay')
    .replace(/rivier$/, 'river')
}

/** Each name of a town or suburb, without spaces, by its current name without spaces. */
function joinedNames(lines: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((names) =>
      names.map((name) => [joinedName(name.split(' ')), joinedName((names[0] ?? '').split(' '))]),
    ),
  )
}

const townNames = joinedNames(towns.map(({ names }) => names))
const suburbNames = joinedNames(suburbs)

/** Returns the current name of a town or suburb without spaces; an unknown place is returned unchanged. */
export function placeNameOf(words: readonly string[]): string {
  const joined = joinedName(words)
  return townNames.get(joined) ?? suburbNames.get(joined) ?? joined
}

/** True for the name of a known town, suburb, province or country. */
export function isPlaceName(words: readonly string[]): boolean {
  const joined = joinedName(words)
  return (
    townNames.has(joined) ||
    suburbNames.has(joined) ||
    metropolisOf.has(joined) ||
    provinceOf(words) !== undefined ||
    countryOf(words) !== undefined
  )
}

type Town = {
  names: readonly string[]
  words: readonly string[]
  /** words around the name, such as `central` */
  around: string
  extension: string | null
}

/** Words that surround the name of a town or name a part of it. */
const aroundTowns: ReadonlySet<string> = new Set(
  'city of stad greater groter groot metro metropolitan metropole municipality munisipaliteit local central sentraal cbd centre sentrum town dorp'.split(
    ' ',
  ),
)

/** Suburbs and towns: any current, former, English or Afrikaans name, with or without spaces. */
function readTown(value: string): Town | null {
  const parts = value
    .split(/[,;/()\n]|\s-\s/)
    .map(plainWords)
    .map(withoutProvince)
    .filter((words) => words.length > 0)
  const [first] = parts
  if (first === undefined) return null
  const { words, extension } = withoutExtension(first)
  const names = [...new Set(parts.map((part) => nameOfTown(withoutExtension(part).words)))]
  const around = placeNameOf(words) === names[0] ? '' : words.filter((word) => aroundTowns.has(word)).join(' ')
  return { names, words, around, extension }
}

function nameOfTown(words: readonly string[]): string {
  const name = placeNameOf(words)
  if (townNames.has(name) || suburbNames.has(name)) return name
  const telling = words.filter((word) => !aroundTowns.has(word))
  return telling.length > 0 && isPlaceName(telling) ? placeNameOf(telling) : name
}

/** Removes a postal code, and a province or country behind a town or alone. */
function withoutProvince(words: readonly string[]): readonly string[] {
  const named = words.filter((word) => !/^\d{4}$/.test(word))
  if (townNames.has(joinedName(named))) return named
  for (let at = Math.max(0, named.length - MAX_PLACE_WORDS); at < named.length; at++) {
    const behind = named.slice(at)
    if (provinceOf(behind) !== undefined || countryOf(behind) !== undefined) return named.slice(0, at)
  }
  return named
}

/** Most words of the name of a province or country that are read behind a town. */
const MAX_PLACE_WORDS = 4

function withoutExtension(words: readonly string[]): { words: readonly string[]; extension: string | null } {
  const at = words.findIndex((word, index) => wordOfPlace(word) === 'ext' && /^\d/.test(words[index + 1] ?? ''))
  if (at > 0) return { words: words.slice(0, at), extension: words[at + 1] ?? null }
  const [, extension] = /^(?:x|ext)(\d+)$/.exec(words.at(-1) ?? '') ?? []
  return extension === undefined ? { words, extension: null } : { words: words.slice(0, -1), extension }
}

export const townRule: FieldRule<Town> = {
  read: readTown,
  compare: (one, other) => {
    const shared = one.names.filter((name) => other.names.includes(name))
    if (shared.length > 0) {
      if (one.extension !== other.extension)
        return one.extension === null || other.extension === null ? compatible('extension_missing') : different
      const isAll = shared.length === one.names.length && shared.length === other.names.length
      return isAll && one.around === other.around ? same : compatible('place_missing')
    }
    const [name = '', otherName = ''] = [one.names[0], other.names[0]]
    if (isMetropolisOf(name, other.names) || isMetropolisOf(otherName, one.names))
      return compatible('within_metropolis')
    if (areSimilar(name, otherName)) return unknown('similar_spelling')
    return compareFurther(one.words, other.words) ?? compareFurther(other.words, one.words) ?? different
  },
}

function isMetropolisOf(metropolis: string, towns: readonly string[]): boolean {
  return towns.some((town) => metropolisOf.get(town) === metropolis)
}

/** Compares a place with one that has further words. A further direction names another place. Undefined if the words are others. */
function compareFurther(less: readonly string[], more: readonly string[]) {
  if (!isWithin(less, more)) return undefined
  const further = without(more, less)
  if (further.some((word) => directions.has(word))) return different
  return further.every((word) => aroundTowns.has(word)) ? compatible('place_missing') : unknown('further_words')
}

/** Returns the code of a province by its words: also for `W Cape`, `ZA-WC` and `Provinsie Limpopo`. */
function provinceOf(words: readonly string[]): string | undefined {
  const named = words.map((word) => provinceWords.get(word) ?? word).filter((word) => !aroundProvinces.has(word))
  return (
    findProvinceCode(words.join(' ')) ??
    findProvinceCode(named.join(' ')) ??
    findProvinceCode(named.join('-')) ??
    joinedProvince(named.join('')) ??
    joinedProvince(words.join(''))
  )
}

const provinceWords = new Map([
  ['w', 'western'],
  ['e', 'eastern'],
  ['n', 'northern'],
  ['west', 'western'],
  ['kaapland', 'kaap'],
])
const aroundProvinces: ReadonlySet<string> = new Set('za province provinsie prov the die of'.split(' '))

/** Names of provinces without spaces. */
function joinedProvince(joined: string): string | undefined {
  return spacelessProvinces.get(joined)
}

const spacelessProvinces = new Map([
  ['easterncape', 'EC'],
  ['ooskaap', 'EC'],
  ['freestate', 'FS'],
  ['orangefreestate', 'FS'],
  ['oranjevrystaat', 'FS'],
  ['kwazulunatal', 'KZN'],
  ['northerncape', 'NC'],
  ['noordkaap', 'NC'],
  ['northernprovince', 'LP'],
  ['northernwest', 'NW'],
  ['northwest', 'NW'],
  ['northwestern', 'NW'],
  ['noordwes', 'NW'],
  ['westerncape', 'WC'],
  ['weskaap', 'WC'],
])

/** Texts that name more than one province, such as those of before 1994. */
const severalProvinces: ReadonlySet<string> = new Set(
  'np wp cape cape province kaap kaapprovinsie transvaal tvl natal transvaal'.split(' '),
)

type Province = { code: string | null; joined: string; isAmbiguous: boolean }

/** Provinces by any name or code. A text that could name two is not compared. */
export const provinceRule: FieldRule<Province> = {
  read: (value) => {
    const words = plainWords(value.replace(/\b([NESW])\./gi, '$1 '))
    if (words.length === 0) return null
    const withoutCountry = words.length > 1 && countryOf(words.slice(1)) === 'ZA' ? words.slice(0, 1) : words
    const code = provinceOf(withoutCountry) ?? null
    return { code, joined: words.join(''), isAmbiguous: code === null && severalProvinces.has(words.join(' ')) }
  },
  compare: (one, other) => {
    if (one.code !== null && one.code === other.code) return same
    if (one.joined === other.joined) return same
    if (one.isAmbiguous || other.isAmbiguous) return unknown('ambiguous')
    // A short text that is no known code is the code of a foreign state, such as `CA` for California.
    if ([one, other].some(({ code, joined }) => code === null && joined.length <= LONGEST_CODE))
      return unknown('ambiguous')
    return areSimilar(one.joined, other.joined) ? unknown('similar_spelling') : different
  },
}

const LONGEST_CODE = 3

type PostalCode = { code: string; extra: string }

/** Postal codes: letters and digits, with the zeros at their start that spreadsheets remove. */
export const postalCodeRule: FieldRule<PostalCode> = {
  read: (value) => {
    const typed = value.replace(/^\s*(\d+)\.0+\s*$/, '$1')
    const [, main, plus] = /^\s*(\d{5})-(\d{4})\s*$/.exec(typed) ?? []
    const words = plainWords(typed).filter((word) => !postalWords.has(word))
    const code = main ?? (words.some((word) => /\d/.test(word)) ? postalPart(words) : '')
    return code === '' ? null : { code: code.replace(/^0+(?=\d)/, ''), extra: plus ?? '' }
  },
  compare: (one, other) => {
    if (one.code !== other.code) return different
    if (one.extra === other.extra) return same
    return one.extra === '' || other.extra === '' ? compatible('code_shortened') : different
  },
}

const postalWords: ReadonlySet<string> = new Set('za rsa sa postal post code poskode zip pos kode'.split(' '))

/** Returns the code of a text that may also name a place, as in `8001 Cape Town`. A foreign code can have letters. */
function postalPart(words: readonly string[]): string {
  const numbers = words.filter((word) => /^\d{3,5}$/.test(word))
  return numbers.length === 1 && words.every((word) => word === numbers[0] || !/\d/.test(word)) && words.length > 1
    ? (numbers[0] ?? '')
    : words.join('')
}

type Country = { codes: readonly string[]; joined: string }

/** Texts that name several countries. */
const severalCountries = new Map<string, readonly string[]>([
  ['sa', ['ZA', 'SA']],
  ['s a', ['ZA', 'SA']],
  ['congo', ['CD', 'CG']],
  ['kongo', ['CD', 'CG']],
  ['korea', ['KR', 'KP']],
  ['guinea', ['GN', 'GQ', 'GW']],
])

function countryOf(words: readonly string[]): string | undefined {
  const named = words.join(' ').replace(/^(?:the|die) /, '')
  return (
    countryCodes.get(named) ??
    countryCodes.get(named.replace(/^(?:republic of|republiek van|kingdom of|koninkryk van)(?: the| die)? /, ''))
  )
}

/** Countries by name or code. */
export const countryRule: FieldRule<Country> = {
  read: (value) => {
    const words = plainWords(value)
    if (words.length === 0) return null
    const several = severalCountries.get(words.join(' '))
    const code = several === undefined ? countryOf(words) : undefined
    return { codes: several ?? (code === undefined ? [] : [code]), joined: words.join('') }
  },
  compare: (one, other) => {
    if (one.joined === other.joined) return same
    const isCertain = one.codes.length === 1 && other.codes.length === 1
    if (one.codes.some((code) => other.codes.includes(code))) return isCertain ? same : compatible('abbreviation')
    if (areSimilar(one.joined, other.joined)) return unknown('similar_spelling')
    // A text that is no known name may be a name in another language.
    return one.codes.length === 0 || other.codes.length === 0 ? unknown('unreadable') : different
  },
}
