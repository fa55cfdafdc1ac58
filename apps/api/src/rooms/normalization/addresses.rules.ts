import { findProvinceCode, type ProvinceCode } from './provinces.rules.ts'
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
import { findTown, isTown, type LocationDoubt, suburbOf } from './towns.rules.ts'

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

/** A place as typed. */
export type TypedAddress = {
  street?: string | null
  suburb?: string | null
  city?: string | null
  province?: string | null
  postalCode?: string | null
  country?: string | null
}

/** An address prepared for comparison; missing parts are null or empty. `doubts` lists parts with two possible readings. */
export type Address = {
  /** house number: `12`, `12a` */
  number: string | null
  /** the words of the street name, without its kind */
  street: readonly string[]
  kind: string | null
  /** shop 3, unit b */
  unit: string | null
  /** `pobox 123`, `bag x5` */
  box: string | null
  /** the estate, complex or mall */
  complex: string | null
  suburb: string | null
  city: string | null
  province: ProvinceCode | null
  postalCode: string | null
  doubts: readonly LocationDoubt[]
}

/** Maximum number of characters read of a line. */
const MAX_LINE_READ = 200
const MAX_STREET_WORDS = 6
/** a shorter word is a foreign state or a country */
const SHORTEST_TOWN = 3
const houseNumber = /^\d+[a-z]?$/
/** a number after a street name; a postal code is longer */
const shortNumber = /^\d{1,3}[a-z]?$/

/** Parses an address. Deterministic. Ambiguous places are reported with their candidates and never guessed (specification, Phase 6 §2). */
export function readAddress(typed: TypedAddress): Address {
  const line = readLine(typed.street ?? '')
  const province = findProvinceCode(typed.province ?? '') ?? line.province
  const postalCode = /\d[\d -]{2,9}/.exec(typed.postalCode ?? '')?.[0].replace(/[ -]/g, '') ?? line.postalCode
  const town = findTown(words(typed.city ?? '').join(' '), province, postalCode)
  const { town: named, ...place } = line
  const inLine = town.city === null && named !== null ? findTown(named, province, postalCode) : town
  return {
    ...place,
    suburb: suburbOf(words(typed.suburb ?? '').join(' ')),
    city: inLine.city,
    province: province ?? inLine.province,
    postalCode,
    doubts: inLine.doubts,
  }
}

type Line = Omit<Address, 'suburb' | 'city' | 'doubts'> & { town: string | null }

/** Parses a line. The part before the street is a complex, the part after it is its town; text in parentheses is neither. */
function readLine(typed: string): Line {
  const line: Line = {
    number: null,
    street: [],
    kind: null,
    unit: null,
    box: null,
    complex: null,
    postalCode: null,
    province: null,
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

/** True for "Los Angeles, CA 90046": a town without further parts. */
function isBeforeState([, ...behind]: readonly (readonly string[])[]): boolean {
  const isOfState = (word: string) => states.has(word) || /^\d{4,5}$/.test(word)
  return behind.some((part) => part.length > 0) && behind.every((part) => part.every(isOfState))
}

function withLostSpaces(typed: string): string {
  const line = joined.test(typed) ? typed.replace(lostSpace, '$1 $2') : typed
  return longCode.test(line) ? line.replace(joinedCode, '$1 $2') : line
}

/** Cheap filters, because nearly no line matches either. */
const joined = /[a-z][A-Z]/
const longCode = /[A-Za-z]\d{5}/

/** a missing space, as in MononaDr */
const lostSpace =
  /([a-z])((?:St|Street|Ave?|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Pl|Place|Way|Hwy|Highway|Pkwy|Ct|Court)\b)/g
/** a joined code, as in WI53702 */
const joinedCode = /\b([A-Za-z]{2})(\d{5})\b/g
const inParentheses = /\(([^()]*)\)/g

/** Returns the words of a part without its box, unit or floor, which are stored in `line`. */
function withoutPlaces(part: string, line: Line): readonly string[] {
  return withoutFloor(withoutUnit(withoutBox(words(part), line), line), line)
}

/** Returns the most likely street, or the only part if nothing else is known. */
function findStreet(parts: readonly (readonly string[])[]): number | null {
  const likely = parts.map(streetLikelihood)
  const most = Math.max(0, ...likely)
  if (most > 0) return likely.indexOf(most)
  const [only = []] = parts
  return parts.length > 1 || only.some((word) => complexWords.has(word)) || isTown(only.join(' ')) ? null : 0
}

/** Rates a part. In "Food Court, 865 Market Street" the part with a number and a kind of street is more likely than one with only either. */
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
const joinedKind = /^([a-z]{3,})(straat|weg|laan|rylaan|singel|street|road|avenue|drive)$/

/** Splits `hoofstraat` into `hoof straat`, and words that lost their space in the same way. */
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
  // In "No 12 Main Road" the only number is the house number, regardless of the word before it.
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

/** Returns `5` for `5th` and `fifth`, because the street is the same. */
function withoutOrdinal(word: string): string {
  const spelled = streetSpellings.get(word) ?? word
  return spelled.charCodeAt(0) > NINE ? spelled : spelled.replace(ordinal, '$1')
}

/** Code unit of an ASCII digit. */
const NINE = 0x39

function readStreet(part: readonly string[], line: Line): void {
  let rest = withoutState(part, line)
  const first = rest[0] === 'one' ? '1' : (rest[0] ?? '')
  if (houseNumber.test(first) && rest.length > 1) {
    line.number = first
    rest = rest.slice(1)
    // 12-14 Main Road, 12 A Main Road; in "112 51 Street" the second number is the street
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

/** True if the name follows the kind, as in "S. Ave. H" and "State Road 113". */
function isNamedBehind(part: readonly string[], kindAt: number): boolean {
  const behind = part[kindAt + 1]
  return behind !== undefined && (isDirection(part.slice(0, kindAt)) || /^\d{1,3}$/.test(behind))
}

/** Returns the spelled-out kind. Before a name `st` means saint. */
function spelledKind(word: string): string {
  return word === 'st' ? word : (streetKinds.get(word) ?? word)
}

function isPartOfNumber(rest: readonly string[]): boolean {
  const [first = ''] = rest
  if (/^[a-d]$/.test(first)) return rest.length > 2
  return /^\d+$/.test(first) && rest.slice(1).some((word) => !streetKinds.has(word) && !directions.has(word))
}

/** Removes a code and the state before it, as in "27 Washington, Oak Park IL 60302", because they do not belong to the street. */
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
 * Removes directions. `N State` and `State` are compared as one street, because people omit the direction; a street that is only a direction keeps
 * it.
 */
function withoutDirections(street: readonly string[]): readonly string[] {
  const named = street.filter((word) => !directions.has(word))
  return named.length > 0 ? named : street
}

/** Reads the town: the last part that is neither a province nor a country, because a suburb precedes its town. */
function readTown(part: readonly string[], line: Line): void {
  const code = part.findLast((word) => /^\d{4,5}$/.test(word))
  line.postalCode ??= code ?? null
  const named = part.filter((word) => word !== code)
  const place = isDirection(named) || named.some((word) => partWords.has(word)) ? '' : named.join(' ')
  const province = findProvinceCode(place)
  line.province ??= province ?? null
  if (province === undefined && place.length >= SHORTEST_TOWN && !countries.has(place) && !states.has(place))
    line.town = place
}
