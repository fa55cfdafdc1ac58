import { findProvinceCode, type ProvinceCode } from './provinces.rules.ts'
import { boxWords, complexWords, directions, streetKinds, streetSpellings, unitWords } from './street-words.data.ts'
import { foldText } from './text-folding.rules.ts'
import { findTown, type LocationDoubt, suburbOf } from './towns.rules.ts'

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

/** Reads an address. Deterministic; ambiguous places are flagged with their candidates, never guessed (specification, Phase 6 §2). */
export function readAddress(typed: TypedAddress): Address {
  const line = readLine(typed.street ?? '')
  const province = typed.province == null ? null : (findProvinceCode(typed.province) ?? null)
  const postalCode = /\d[\d -]{2,9}/.exec(typed.postalCode ?? '')?.[0].replace(/[ -]/g, '') ?? line.postalCode
  const town = findTown(words(typed.city ?? '').join(' '), province, postalCode)
  const { postalCode: _, rest, ...place } = line
  const inLine = town.city === null && rest !== null ? findTown(rest, province, postalCode) : town
  return {
    ...place,
    suburb: suburbOf(words(typed.suburb ?? '').join(' ')),
    city: inLine.city,
    province: province ?? inLine.province,
    postalCode,
    doubts: inLine.doubts,
  }
}

type Line = Pick<Address, 'number' | 'street' | 'kind' | 'unit' | 'box' | 'complex' | 'postalCode'> & {
  rest: string | null
}

/** The part with the number or the kind of street is the street; what follows it is where the street is. */
function readLine(typed: string): Line {
  const line: Line = {
    number: null,
    street: [],
    kind: null,
    unit: null,
    box: null,
    complex: null,
    postalCode: null,
    rest: null,
  }
  const parts = boxesJoined(foldText(typed.slice(0, MAX_LINE_READ)))
    .split(/[,;\n]+/)
    .map((part) => words(part))
    .filter((part) => part.length > 0)
  let streetAt = -1
  for (const [at, part] of parts.entries()) {
    const rest = withoutUnit(withoutBox(part, line), line)
    if (rest.length === 0) continue
    if (streetAt < 0 && isStreet(rest, at === parts.length - 1)) {
      readStreet(rest, line)
      streetAt = at
    } else if (streetAt >= 0) readRest(rest, line)
    else if (line.complex === null && rest.some((word) => complexWords.has(word))) line.complex = rest.join(' ')
    else line.complex ??= rest.join(' ')
  }
  return line
}

function words(part: string): string[] {
  return foldText(part)
    .replace(/['’`.]/g, '')
    .split(/[^a-z0-9]+/)
    .flatMap((word) => (word === '' || cornerWords.has(word) ? [] : withoutJoinedKind(word)))
}

const cornerWords: ReadonlySet<string> = new Set(['corner', 'cnr', 'hoek'])
const joinedKind = /^([a-z]{3,})(straat|weg|laan|rylaan|singel)$/

/** `hoofstraat` is `hoof straat`. */
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

function isStreet(part: readonly string[], isLast: boolean): boolean {
  return isLast || /^\d+[a-z]?$/.test(part[0] ?? '') || part.some((word, at) => at > 0 && streetKinds.has(word))
}

function readStreet(part: readonly string[], line: Line): void {
  let rest = [...part]
  const first = rest[0] ?? ''
  if (/^\d+[a-z]?$/.test(first) && rest.length > 1) {
    line.number = first
    rest = rest.slice(1)
    // 12-14 Main Road, 12 A Main Road
    while (rest.length > 1 && (/^\d+$/.test(rest[0] ?? '') || (/^[a-d]$/.test(rest[0] ?? '') && rest.length > 2)))
      rest = rest.slice(1)
  } else if (rest.length > 1 && /^\d+[a-z]?$/.test(rest.at(-1) ?? '')) {
    line.number = rest.at(-1) ?? null
    rest = rest.slice(0, -1)
  }
  const kindAt = rest.findLastIndex((word, at) => at > 0 && streetKinds.has(word))
  if (kindAt > 0) {
    line.kind = streetKinds.get(rest[kindAt] ?? '') ?? null
    readRest(rest.slice(kindAt + 1), line)
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

function readRest(part: readonly string[], line: Line): void {
  const code = part.findLast((word) => /^\d{4,5}$/.test(word))
  line.postalCode ??= code ?? null
  const place = part.filter((word) => word !== code && !directions.has(word)).join(' ')
  if (place !== '') line.rest ??= place
}
