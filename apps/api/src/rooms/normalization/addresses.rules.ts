import { findProvinceCode, type ProvinceCode } from './provinces.rules.ts'
import { boxWords, complexWords, directions, streetKinds, streetSpellings, unitWords } from './street-words.data.ts'
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

/** Where something is, as a person typed it. */
export type TypedAddress = {
  street?: string | null
  suburb?: string | null
  city?: string | null
  province?: string | null
  postalCode?: string | null
  country?: string | null
}

/** An address as it is compared; what was not said is null or empty. `doubts` name what may be meant two ways. */
export type Address = {
  /** of a house: `12`, `12a` */
  number: string | null
  /** the words of the street's name, without its kind */
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

/** Past this nothing of a line is read. */
const MAX_LINE_READ = 200
const MAX_STREET_WORDS = 6
/** what is shorter is a state abroad or a country */
const SHORTEST_TOWN = 3
const houseNumber = /^\d+[a-z]?$/
/** behind a name: a postal code is longer */
const shortNumber = /^\d{1,3}[a-z]?$/

/** Reads an address. Deterministic; ambiguous places are flagged with their candidates, never guessed (specification, Phase 6 §2). */
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

/** What stands before the street is a complex, what follows it is where the street is. */
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
  const parts = boxesJoined(foldText(typed.slice(0, MAX_LINE_READ)))
    .split(/[,;\n]+/)
    .map((part) => words(part))
    .filter((part) => part.length > 0)
    .map((part) => withoutUnit(withoutBox(part, line), line))
    .filter((part) => part.length > 0)
  const streetAt = findStreet(parts)
  for (const [at, part] of parts.entries()) {
    if (at === streetAt) readStreet(part, line)
    else if (streetAt === null ? at > 0 || isTown(part.join(' ')) : at > streetAt) readTown(part, line)
    else line.complex ??= part.join(' ')
  }
  return line
}

/** The part that is most of a street, or the only one when it is nothing else that is known. */
function findStreet(parts: readonly (readonly string[])[]): number | null {
  const likely = parts.map(streetLikelihood)
  const most = Math.max(0, ...likely)
  if (most > 0) return likely.indexOf(most)
  const [only = []] = parts
  return parts.length > 1 || only.some((word) => complexWords.has(word)) || isTown(only.join(' ')) ? null : 0
}

/** "Food Court, 865 Market Street": the part with a number and a kind of street is more of a street than one that has only either. */
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

/** `hoofstraat` is `hoof straat`; so is what lost its space. */
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
  // "No 12 Main Road": the only number is the house's, whatever word stands before it.
  if (/^n/.test(part[at] ?? '') && !rest.some((word) => /^\d/.test(word))) return [part[at + 1] ?? '', ...rest]
  line.unit = part[at + 1] ?? null
  return rest
}

function readStreet(part: readonly string[], line: Line): void {
  let rest = [...part]
  const first = rest[0] ?? ''
  if (houseNumber.test(first) && rest.length > 1) {
    line.number = first
    rest = rest.slice(1)
    // 12-14 Main Road, 12 A Main Road
    while (rest.length > 1 && (/^\d+$/.test(rest[0] ?? '') || (/^[a-d]$/.test(rest[0] ?? '') && rest.length > 2)))
      rest = rest.slice(1)
  } else if (rest.length > 1 && houseNumber.test(rest.at(-1) ?? '')) {
    line.number = rest.at(-1) ?? null
    rest = rest.slice(0, -1)
  }
  const kindAt = rest.findLastIndex((word, at) => at > 0 && streetKinds.has(word))
  if (kindAt > 0) {
    line.kind = streetKinds.get(rest[kindAt] ?? '') ?? null
    readTown(rest.slice(kindAt + 1), line)
    rest = rest.slice(0, kindAt)
  }
  line.street = withoutDirections(rest)
    .slice(0, MAX_STREET_WORDS)
    .map((word) => streetSpellings.get(word) ?? word)
}

/** `N State` and `State` are one street to whoever writes it down in a hurry; a street that is nothing but a direction keeps it. */
function withoutDirections(street: readonly string[]): readonly string[] {
  const named = street.filter((word) => !directions.has(word))
  return named.length > 0 ? named : street
}

/** The last part that is neither a province nor a country: a suburb comes before its town. */
function readTown(part: readonly string[], line: Line): void {
  const code = part.findLast((word) => /^\d{4,5}$/.test(word))
  line.postalCode ??= code ?? null
  const named = part.filter((word) => word !== code)
  const place = named.every((word) => directions.has(word)) ? '' : named.join(' ')
  const province = findProvinceCode(place)
  line.province ??= province ?? null
  if (province === undefined && place.length >= SHORTEST_TOWN && !countries.has(place)) line.town = place
}
