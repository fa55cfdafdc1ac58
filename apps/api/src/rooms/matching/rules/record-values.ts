import { jsonColumn } from '../../../store/json-column.ts'
import {
  comparedName,
  hostOfAddress,
  isDescriptiveWord,
  isRoleMailbox,
  nameOfAddress,
  ownerDomainOf,
  readAddress,
  readBusinessName,
} from '../../normalization/normalization.ts'
import { hashText } from './hash-text.rules.ts'
import type { ComparedAddress, MatchInput, Word } from './match-record.ts'

/**
 * The parsed values of one business. They depend on no other record, so one thread can parse them and another can combine the records. They contain
 * only texts, numbers and lists, because threads post them as JSON.
 */
export type RecordValues = {
  id: string
  /** hash of all typed values */
  facts: number
  names: readonly NameValues[]
  phones: readonly { digits: string; international: string | null }[]
  /** `domain` is null for free mail */
  emails: readonly { address: string; domain: string | null; isRole: boolean }[]
  /** registrable domains, including those of the mailboxes */
  domains: readonly string[]
  registration: string | null
  place: PlaceValues
  /**
   * `building`: hash of number, street and town. `whereabouts`: hash of the place without its street, because a slip in a street name must not count
   * as another place.
   */
  building: number | null
  whereabouts: number | null
}
/** Name as words joined by spaces. `wordsIn` splits them at their first use, because most names and streets are already known by then. */
type NameValues = { canonical: string; legalForm: string | null }
type PlaceValues = Omit<ComparedAddress, 'street'> & { street: string }

export function valuesOf(input: MatchInput): RecordValues {
  const { phones, emails, domains } = identifiersOf(input)
  const place = placeOf(input)
  return {
    id: input.id,
    facts: factsOf(input),
    names: namesOf(input),
    phones,
    emails,
    domains,
    registration: registrationOf(input.registrationNumber),
    place,
    building: buildingOf(place),
    whereabouts: whereabouts(place),
  }
}

const romans = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ')
const numbersByRoman = new Map(romans.map((roman, at) => [roman, String(at + 1)]))

/** Converts roman numerals to digits (`iii` to `3`), so that equal numbers match. */
export function inDigits(word: string): string {
  return numbersByRoman.get(word) ?? word
}

/** Returns the kind of a word that `nameWordsIn` returned and `inDigits` converted. */
export function kindOf(word: string): Word['kind'] {
  if (word.startsWith('(')) return 'qualifier'
  if (/^\d/.test(word)) return 'number'
  return isDescriptiveWord(word) ? 'descriptive' : 'distinctive'
}

/** Returns the label of a domain without its suffix: `karoo` for `karoo.co.za`. */
export function labelOf(domain: string): string {
  return domain.split('.')[0] ?? domain
}

function namesOf({ name, tradingName }: MatchInput): NameValues[] {
  const read = readBusinessName(name)
  const { legalForm, tradingAs } = read
  const canonical = comparedName(read)
  const found: NameValues[] = [{ canonical, legalForm }]
  if (tradingAs !== null) found.push({ canonical: tradingAs.join(' '), legalForm: null })
  if (tradingName !== null) found.push({ canonical: comparedName(readBusinessName(tradingName)), legalForm: null })
  return found.filter((other, at) => at === 0 || other.canonical !== canonical)
}

/** Returns the words of a name. Words of a qualifier come last, each prefixed by `(`. */
export function nameWordsIn(canonical: string): string[] {
  const at = canonical.indexOf(' (')
  if (at < 0) return wordsIn(canonical)
  return [...wordsIn(canonical.slice(0, at)), ...wordsIn(canonical.slice(at + 2, -1)).map((word) => `(${word}`)]
}

export function wordsIn(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

type Identifiers = {
  phones: RecordValues['phones'][number][]
  emails: RecordValues['emails'][number][]
  domains: string[]
}

/** Collects the identifiers of a business by kind, each value once. */
function identifiersOf({ identifiers }: MatchInput): Identifiers {
  const found: Identifiers = { phones: [], emails: [], domains: [] }
  for (const { kind, original, normalized } of identifiers) {
    if (kind === 'phone') {
      const digits = (normalized ?? original).replace(/\D/g, '').replace(/^0+/, '').slice(-9)
      if (digits.length < 6) continue
      if (found.phones.some((other) => other.international === normalized && other.digits === digits)) continue
      found.phones.push({ digits, international: normalized })
    } else if (normalized === null) continue
    else if (kind === 'domain') addDomain(found.domains, ownerDomainOf(normalized))
    else {
      const domain = ownerDomainOf(hostOfAddress(normalized))
      addDomain(found.domains, domain)
      if (found.emails.some(({ address }) => address === normalized)) continue
      found.emails.push({ address: normalized, domain, isRole: isRoleMailbox(nameOfAddress(normalized)) })
    }
  }
  return found
}

function addDomain(domains: string[], domain: string | null): void {
  if (domain !== null && !domains.includes(domain)) domains.push(domain)
}

function placeOf(input: MatchInput): PlaceValues {
  const { number, street, unit, box, complex, suburb, city, provinces, region, postalCode, country, doubts } =
    readAddress(input)
  const place = { number, unit, box, complex, suburb, city, provinces, region, postalCode, country, doubts }
  return { ...place, street: street.join(' ') }
}

/**
 * Hashes the typed values of a business. They include the country of a phone, because it decides which number a local form denotes
 * (docs/decisions/normalization-reads-explicit-facts.md). A missing country adds nothing, so that the hashes of most records are those of before.
 */
function factsOf(input: MatchInput): number {
  const { name, tradingName, registrationNumber, street, suburb, city, province, postalCode, country, identifiers } =
    input
  const facts = [name, tradingName, registrationNumber, street, suburb, city, province, postalCode]
  const values = identifiers.flatMap(({ kind, original, region }) => [
    kind,
    original,
    ...(region === null ? [] : [region]),
  ])
  return hashText(JSON.stringify([...facts, ...(country === null ? [] : [{ country }]), ...values]))
}

function registrationOf(typed: string | null): string | null {
  const digits = typed?.replace(/\D/g, '') ?? ''
  return digits.length < 6 ? null : digits
}

function buildingOf({ number, street, box, city }: PlaceValues): number | null {
  if (box !== null && street === '') return hashText(`box|${box}|${city ?? ''}`)
  return number === null || street === '' ? null : hashText(`${number}|${street}|${city ?? ''}`)
}

function whereabouts({ number, box, city }: PlaceValues): number | null {
  return number === null && box === null ? null : hashText(`${number ?? ''}|${box ?? ''}|${city ?? ''}`)
}

declare const rowsOf: unique symbol
/** Many records as one text, each a list of its values. Posting objects with property names between threads takes twice as long. */
export type ValueRows = string & { readonly [rowsOf]: 'values' }
type ValueRow = [
  id: string,
  facts: number,
  names: (readonly [canonical: string, legalForm: string | null])[],
  phones: (readonly [digits: string, international: string | null])[],
  emails: (readonly [address: string, domain: string | null, isRole: boolean])[],
  domains: readonly string[],
  registration: string | null,
  building: number | null,
  whereabouts: number | null,
  ...place: PlaceRow,
]
type PlaceRow = [
  number: string | null,
  street: string,
  unit: string | null,
  box: string | null,
  complex: string | null,
  suburb: string | null,
  city: string | null,
  provinces: PlaceValues['provinces'],
  region: string | null,
  postalCode: string | null,
  country: string | null,
  doubts: PlaceValues['doubts'],
]

export function valueRows(all: readonly RecordValues[]): ValueRows {
  const rows = all.map(
    ({ id, facts, names, phones, emails, domains, registration, building, whereabouts, place }): ValueRow => [
      id,
      facts,
      names.map(({ canonical, legalForm }) => [canonical, legalForm]),
      phones.map(({ digits, international }) => [digits, international]),
      emails.map(({ address, domain, isRole }) => [address, domain, isRole]),
      domains,
      registration,
      building,
      whereabouts,
      ...placeRow(place),
    ],
  )
  return JSON.stringify(rows) as ValueRows
}

function placeRow(place: PlaceValues): PlaceRow {
  const { number, street, unit, box, complex, suburb, city, provinces, region, postalCode, country, doubts } = place
  return [number, street, unit, box, complex, suburb, city, provinces, region, postalCode, country, doubts]
}

/** Number of values in a row. */
const ROW_LENGTH = 21

/**
 * Parses rows that another thread of this program posted. Checks only that each row is a list of the right length, which costs nothing measurable: the
 * rows of a million records pass through here, and a Zod schema took 8.5 ms beside 2.9 ms of JSON.parse for 2,000 of them.
 */
const readRows = jsonColumn({
  parse: (value) => {
    if (Array.isArray(value) && value.every(isRow)) return value
    throw new TypeError('The values of records that a thread posted are no rows of values.')
  },
})

const isRow = (row: unknown): row is ValueRow => Array.isArray(row) && row.length === ROW_LENGTH

/** Parses the text of `valueRows`. */
export function valuesIn(rows: ValueRows): RecordValues[] {
  return readRows(rows).map((row) => {
    const [id, facts, names, phones, emails, domains, registration, building, whereabouts] = row
    const [
      ,
      ,
      ,
      ,
      ,
      ,
      ,
      ,
      ,
      number,
      street,
      unit,
      box,
      complex,
      suburb,
      city,
      provinces,
      region,
      postalCode,
      country,
      doubts,
    ] = row
    return {
      id,
      facts,
      names: names.map(([canonical, legalForm]) => ({ canonical, legalForm })),
      phones: phones.map(([digits, international]) => ({ digits, international })),
      emails: emails.map(([address, domain, isRole]) => ({ address, domain, isRole })),
      domains,
      registration,
      building,
      whereabouts,
      place: { number, street, unit, box, complex, suburb, city, provinces, region, postalCode, country, doubts },
    }
  })
}
