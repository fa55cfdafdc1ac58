import { type PlaceDoubt, readPlace, type TypedPlace } from './places.rules.ts'
import { onlyProvinceIn, type ProvinceCode, type ProvinceSet, readProvinces } from './provinces.rules.ts'
import {
  boxWords,
  complexWords,
  directions,
  floorWords,
  partWords,
  states,
  streetFillers,
  streetKinds,
  streetSpellings,
  unitWords,
} from './street-words.data.ts'
import { foldText } from './text-folding.rules.ts'
import { isTown, suburbOf } from './towns.rules.ts'

const countries: ReadonlySet<string> = new Set([
  'south africa',
  'suid afrika',
  'republic of south africa',
  'rsa',
  'namibia',
  'botswana',
  'lesotho',
  'eswatini',
  'zimbabwe',
  'mozambique',
  'usa',
  'united states',
  'united kingdom',
])

/** An address as a person typed it. */
export type TypedAddress = TypedPlace & {
  street?: string | null
  suburb?: string | null
}

/**
 * An address prepared for comparison. Missing parts are null or empty. `provinces`: all provinces in which it can be. `province`: the only one of them.
 * `doubts`: parts that can be read in two ways or contradict each other.
 */
export type Address = {
  /** house number, such as `12` or `12a` */
  number: string | null
  /** the words of the street name, without its kind */
  street: readonly string[]
  kind: string | null
  /** number of the unit, shop or office, such as `3` or `b` */
  unit: string | null
  /** post office box or private bag, such as `pobox 123` or `bag x5` */
  box: string | null
  /** name of the estate, complex or mall */
  complex: string | null
  suburb: string | null
  city: string | null
  province: ProvinceCode | null
  provinces: ProvinceSet
  /** a stated province that is not South African, folded */
  region: string | null
  postalCode: string | null
  /** ISO 3166 alpha-2 code */
  country: string | null
  doubts: readonly PlaceDoubt[]
}

/** Maximum number of characters of a line that are read. */
const MAX_LINE_READ = 200
const MAX_STREET_WORDS = 6
/** minimum number of letters of a town; a shorter word is a foreign state or a country */
const SHORTEST_TOWN = 3
const houseNumber = /^\d+[a-z]?$/
/** a number after a street name, which is shorter than a postal code */
const shortNumber = /^\d{1,3}[a-z]?$/

/** Parses an address. Deterministic. An ambiguous place is reported with its candidates and never guessed (specification, Phase 6 §2). */
export function readAddress(typed: TypedAddress): Address {
  const { town, provinces: named, postalCode: code, ...line } = readLine(typed.street ?? '')
  const { city, provinces, region, postalCode, country, doubts } = readPlace(typed, {
    town,
    provinces: named,
    postalCode: code,
  })
  return {
    ...line,
    suburb: suburbOf(words(typed.suburb ?? '').join(' ')),
    city,
    province: onlyProvinceIn(provinces),
    provinces,
    region,
    postalCode,
    country,
    doubts,
  }
}

/** A line that separates parts can name a town, a province or a postal code besides the street. */
const severalParts = /[,;(\n]/

/** Maximum number of places whose doubts are stored. The records of a workspace share few places; reading them took a sixth of the time of a list. */
const MAX_STORED_PLACES = 5_000
const storedDoubts = new Map<string, readonly PlaceDoubt[]>()

/**
 * Returns the doubts about the place of an address, as `readAddress` does. Cheap enough for every row of a list: the line with the street is parsed
 * only if it can name a place, and the doubts of a place without a line are stored.
 */
export function placeDoubts(typed: TypedAddress): readonly PlaceDoubt[] {
  const { street, city, province, postalCode, country } = typed
  const canNamePlace = street != null && (city == null || severalParts.test(street))
  if (canNamePlace) return readAddress(typed).doubts
  const key = `${city ?? ''}\0${province ?? ''}\0${postalCode ?? ''}\0${country ?? ''}`
  const known = storedDoubts.get(key)
  if (known !== undefined) return known
  if (storedDoubts.size >= MAX_STORED_PLACES) storedDoubts.clear()
  const { doubts } = readPlace(typed)
  storedDoubts.set(key, doubts)
  return doubts
}

type Line = Omit<Address, 'suburb' | 'city' | 'province' | 'region' | 'country' | 'doubts'> & { town: string | null }

/**
 * Parses the line with the street. The part before the street is read as a complex, the part after it as the town. Text in parentheses is read as
 * neither.
 */
function readLine(typed: string): Line {
  const line: Line = {
    number: null,
    street: [],
    kind: null,
    unit: null,
    box: null,
    complex: null,
    postalCode: null,
    provinces: 0,
    town: null,
  }
  const text = boxesJoined(foldText(withLostSpaces(typed.slice(0, MAX_LINE_READ))))
  const parts = (text.includes('(') ? text.replace(inParentheses, ',') : text)
    .split(/[,;\n]+/)
    .map((part) => withoutPlaces(part, line))
    .filter((part) => part.length > 0)
  if (text.includes('(')) for (const [, inner = ''] of text.matchAll(inParentheses)) withoutPlaces(inner, line)
  const streetAt = findStreet(parts)
  for (const [at, part] of parts.entries()) {
    if (at === streetAt) readStreet(part, line)
    else if (streetAt === null ? at > 0 || isTown(part.join(' ')) || isBeforeState(parts) : at > streetAt)
      readTown(part, line)
    else line.complex ??= part.join(' ')
  }
  return line
}

/** True if only a state and a code follow the first part, as in "Los Angeles, CA 90046". The first part is then a town. */
function isBeforeState([, ...behind]: readonly (readonly string[])[]): boolean {
  const isOfState = (word: string) => states.has(word) || /^\d{4,5}$/.test(word)
  return behind.some((part) => part.length > 0) && behind.every((part) => part.every(isOfState))
}

function withLostSpaces(typed: string): string {
  const line = joined.test(typed) ? typed.replace(lostSpace, '$1 $2') : typed
  return longCode.test(line) ? line.replace(joinedCode, '$1 $2') : line
}

/** Fast patterns that are tested before the slow ones below, because nearly no line matches. */
const joined = /[a-z][A-Z]/
const longCode = /[A-Za-z]\d{5}/

/** a street kind that lost the space before it, as in MononaDr */
const lostSpace =
  /([a-z])((?:St|Street|Ave?|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Pl|Place|Way|Hwy|Highway|Pkwy|Ct|Court)\b)/g
/** a state and a code without a space between them, as in WI53702 */
const joinedCode = /\b([A-Za-z]{2})(\d{5})\b/g
const inParentheses = /\(([^()]*)\)/g

/** Returns the words of a part without its box, unit and floor, and stores those in `line`. */
function withoutPlaces(part: string, line: Line): readonly string[] {
  return withoutFloor(withoutUnit(withoutBox(words(part), line), line), line)
}

/**
 * Returns the index of the part that is most likely the street. A single part counts as the street unless it is a town or a complex. Null if there is
 * none.
 */
function findStreet(parts: readonly (readonly string[])[]): number | null {
  const likely = parts.map(streetLikelihood)
  const most = Math.max(0, ...likely)
  if (most > 0) return likely.indexOf(most)
  const [only = []] = parts
  return parts.length > 1 || only.some((word) => complexWords.has(word)) || isTown(only.join(' ')) ? null : 0
}

/**
 * Rates how likely a part is the street, from 0 to 3. In "Food Court, 865 Market Street" the second part has a number and a kind of street, so it is
 * more likely than the first.
 */
function streetLikelihood(part: readonly string[]): number {
  const hasKind = part.some((word, at) => at > 0 && streetKinds.has(word))
  const hasNumber = houseNumber.test(part[0] ?? '') || shortNumber.test(part.at(-1) ?? '')
  return (hasKind ? 2 : 0) + (hasNumber ? 1 : 0)
}

function words(part: string): string[] {
  return foldText(part)
    .replace(/['’`.]/g, '')
    .split(/[^a-z0-9]+/)
    .flatMap((word) => (word === '' || cornerWords.has(word) ? [] : withoutJoinedKind(word)))
}

const cornerWords: ReadonlySet<string> = new Set(['corner', 'cnr', 'hoek'])
const joinedKind = /^([a-z]{3,})(straat|str|weg|laan|rylaan|singel|street|road|avenue|drive)$/

/** Splits a street word and its kind that are written as one word, such as `hoofstraat` into `hoof straat`. */
function withoutJoinedKind(word: string): string[] {
  const [, name, kind] = joinedKind.exec(word) ?? []
  return name === undefined || kind === undefined ? [word] : [name, kind]
}

function boxesJoined(text: string): string {
  return text
    .replace(/\bp\s*\.?\s*o\s*\.?\s*box\b/g, 'pobox')
    .replace(/\bpos\s?bus\b/g, 'posbus')
    .replace(/\b(?:private|pvt|privaat)\s*\.?\s*(?:bag|sak)\b/g, 'privatebag')
}

function withoutBox(part: readonly string[], line: Line): readonly string[] {
  const at = part.findIndex((word) => boxWords.has(word))
  const kind = boxWords.get(part[at] ?? '')
  const number = part[at + 1]
  if (kind === undefined || number === undefined || !/\d/.test(number)) return part
  line.box = `${kind} ${number}`
  return [...part.slice(0, at), ...part.slice(at + 2)]
}

function withoutUnit(part: readonly string[], line: Line): readonly string[] {
  const at = part.findIndex(
    (word, index) => unitWords.has(word) && /^(?:\d+[a-z]?|[a-z]\d*)$/.test(part[index + 1] ?? ''),
  )
  if (at < 0) return part
  const rest = [...part.slice(0, at), ...part.slice(at + 2)]
  // In "No 12 Main Road" the only number is the house number, although "No" can precede the number of a unit.
  if (/^n/.test(part[at] ?? '') && !rest.some((word) => /^\d/.test(word))) return [part[at + 1] ?? '', ...rest]
  line.unit = part[at + 1] ?? null
  return rest
}

/** Removes a floor, such as "2nd floor" or "ground floor". */
function withoutFloor(part: readonly string[], line: Line): readonly string[] {
  const at = part.findIndex((word, index) => floorWords.has(word) && isStorey(part[index - 1] ?? ''))
  if (at < 0) return part
  line.unit ??= withoutOrdinal(part[at - 1] ?? '')
  return [...part.slice(0, at - 1), ...part.slice(at + 1)]
}

function isStorey(word: string): boolean {
  return ordinal.test(word) || /^(?:ground|upper|lower|top)$/.test(word) || /^\d+$/.test(withoutOrdinal(word))
}

const ordinal = /^(\d+)(?:st|nd|rd|th|de|ste)$/

/** Returns the number of an ordinal, such as `5` for `5th` and for `fifth`, because both name the same street. */
function withoutOrdinal(word: string): string {
  const spelled = streetSpellings.get(word) ?? word
  return spelled.charCodeAt(0) > NINE ? spelled : spelled.replace(ordinal, '$1')
}

/** Code unit of the digit 9. */
const NINE = 0x39

function readStreet(part: readonly string[], line: Line): void {
  let rest = withoutState(part, line)
  const first = rest[0] === 'one' ? '1' : (rest[0] ?? '')
  if (houseNumber.test(first) && rest.length > 1) {
    line.number = first
    rest = rest.slice(1)
    // Removes the rest of the number in "12-14 Main Road" and "12 A Main Road". In "112 51 Street" the second number is the name of the street.
    while (isPartOfNumber(rest)) rest = rest.slice(1)
  } else if (rest.length > 1 && houseNumber.test(rest.at(-1) ?? '')) {
    line.number = rest.at(-1) ?? null
    rest = rest.slice(0, -1)
  }
  const kindAt = rest.findLastIndex((word, at) => at > 0 && streetKinds.has(word))
  if (kindAt > 0 && !isNamedBehind(rest, kindAt)) {
    line.kind = streetKinds.get(rest[kindAt] ?? '') ?? null
    readTown(rest.slice(kindAt + 1), line)
    rest = rest.slice(0, kindAt)
  }
  line.street = withoutDirections(rest)
    .filter((word, _at, all) => all.length === 1 || !streetFillers.has(word))
    .slice(0, MAX_STREET_WORDS)
    .map((word, at, all) => withoutOrdinal(at === 0 && all.length > 1 ? spelledKind(word) : word))
}

/** True if the name of the street follows its kind, as in "S. Ave. H" and "State Road 113". */
function isNamedBehind(part: readonly string[], kindAt: number): boolean {
  const behind = part[kindAt + 1]
  return behind !== undefined && (isDirection(part.slice(0, kindAt)) || /^\d{1,3}$/.test(behind))
}

/** Returns the full word of a street kind, such as `street` for `str`. `st` is not replaced, because before a name it means saint. */
function spelledKind(word: string): string {
  return word === 'st' ? word : (streetKinds.get(word) ?? word)
}

function isPartOfNumber(rest: readonly string[]): boolean {
  const [first = ''] = rest
  if (/^[a-d]$/.test(first)) return rest.length > 2
  return /^\d+$/.test(first) && rest.slice(1).some((word) => !streetKinds.has(word) && !directions.has(word))
}

/** Removes a code and the state before it from a part, as in "27 Washington, Oak Park IL 60302", because they do not belong to the street. */
function withoutState(part: readonly string[], line: Line): string[] {
  const code = part.at(-1) ?? ''
  if (part.length < 4 || !/^\d{5}$/.test(code) || !states.has(part.at(-2) ?? '')) return [...part]
  line.postalCode ??= code
  return part.slice(0, -2)
}

function isDirection(part: readonly string[]): boolean {
  return part.every((word) => directions.has(word))
}

/**
 * Removes directions from a street name, unless the name consists of directions only. `N State` and `State` are compared as the same street, because
 * people omit the direction.
 */
function withoutDirections(street: readonly string[]): readonly string[] {
  const named = street.filter((word) => !directions.has(word))
  return named.length > 0 ? named : street
}

/**
 * Reads a part after the street as the town, unless it names a province, a state or a country. A later part replaces an earlier one, because a suburb
 * precedes its town.
 */
function readTown(part: readonly string[], line: Line): void {
  const code = part.findLast((word) => /^\d{4,5}$/.test(word))
  line.postalCode ??= code ?? null
  const named = part.filter((word) => word !== code)
  const place = isDirection(named) || named.some((word) => partWords.has(word)) ? '' : named.join(' ')
  const provinces = readProvinces(place)
  if (line.provinces === 0) line.provinces = provinces
  if (provinces === 0 && place.length >= SHORTEST_TOWN && !countries.has(place) && !states.has(place)) line.town = place
}
