import { listed } from '../../lib/listed.ts'
import { countryCodes } from './agree/countries.data.ts'
import { NORMALIZATION_VERSION } from './identifiers.rules.ts'
import {
  isSingle,
  onlyProvinceIn,
  type ProvinceSet,
  provinceName,
  provincesIn,
  readProvinces,
  withoutProvince,
} from './provinces.rules.ts'
import { states } from './street-words.data.ts'
import { foldText } from './text-folding.rules.ts'
import { type NamedTowns, provincesOfPostalCode, townsNamed } from './towns.rules.ts'

export const placeDoubtKinds = [
  'city_in_several_provinces',
  'city_in_another_province',
  'postal_code_in_another_province',
  'province_ambiguous',
] as const
export type PlaceDoubtKind = (typeof placeDoubtKinds)[number]

export const placeDoubtFields = ['address.street', 'address.city', 'address.province', 'address.postalCode'] as const
export type PlaceDoubtField = (typeof placeDoubtFields)[number]

/**
 * A part of an address that can be read in two ways, or two parts that contradict each other. `field`: the part to check first. `text`: a sentence for
 * people, without a full stop. `version`: the rules that found it. The line with the street is the part to check if it alone names the place.
 */
export type PlaceDoubt = { kind: PlaceDoubtKind; field: PlaceDoubtField; text: string; version: string }

/** The parts of an address that name a place, as a person typed them. */
export type TypedPlace = {
  city?: string | null
  province?: string | null
  postalCode?: string | null
  country?: string | null
}

/** Parts of a place that the line with the street names. They count if the typed part is missing. */
export type PlaceInLine = { town: string | null; provinces: ProvinceSet; postalCode: string | null }

/**
 * A place prepared for comparison. `city`: current name of the town, folded. `provinces`: the provinces in which the place can be; with several the
 * place is uncertain, and with none its province is unknown. `region`: a stated province that is not South African, folded. `country`: ISO 3166
 * alpha-2 code.
 */
export type Place = {
  city: string | null
  provinces: ProvinceSet
  region: string | null
  postalCode: string | null
  country: string | null
  doubts: readonly PlaceDoubt[]
}

const SOUTH_AFRICA = 'ZA'
const MAX_PLACE_READ = 200
const NO_DOUBTS: readonly PlaceDoubt[] = []
const nothingInLine: PlaceInLine = { town: null, provinces: 0, postalCode: null }

/**
 * Reads a place. Town, province and postal code are three statements about the province. What all of them allow is the province. If they allow
 * several, or if they contradict each other, the place has a doubt and nothing is guessed (specification, Phase 6 §2). Of an address in another
 * country no province is read. Deterministic.
 */
export function readPlace(typed: TypedPlace, line: PlaceInLine = nothingInLine): Place {
  const country = readCountry(typed.country)
  const city = readCity(typed.city) ?? cityInLine(line.town)
  const postalCode = codeIn(typed.postalCode) ?? city?.postalCode ?? line.postalCode
  const typedProvince = typed.province ?? ''
  const typedProvinces = typedProvince === '' ? line.provinces : readProvinces(typedProvince)
  const words =
    typedProvinces === 0 && typedProvince !== '' ? placeWords(typedProvince.slice(0, MAX_PLACE_READ)).join(' ') : ''
  const region = words === '' ? null : words
  if (isAbroad(country, postalCode, region))
    return { city: city?.folded ?? null, provinces: 0, region, postalCode, country, doubts: NO_DOUBTS }
  const written = city?.provinces ?? 0
  const stated = typedProvinces === 0 ? written : typedProvinces
  const ofTown = city?.towns?.provinces ?? 0
  const ofCity = typedProvinces !== 0 && written !== 0 ? ofTown & written || written : ofTown
  const ofCode = postalCode === null ? 0 : provincesOfPostalCode(postalCode)
  const allowed = within(within(stated, ofCity), ofCode)
  const provinces = allowed ?? stated | ofCity | ofCode
  return {
    city: city === null ? null : currentName(city, provinces),
    provinces,
    region,
    postalCode,
    country,
    doubts:
      allowed !== null && (isSingle(allowed) || allowed === 0)
        ? NO_DOUBTS
        : doubtsOf({ typed, city, stated, ofCity, ofCode, postalCode, allowed }),
  }
}

/** Returns what both sets allow; null if they contradict each other. A set without provinces says nothing. */
function within(one: ProvinceSet | null, other: ProvinceSet): ProvinceSet | null {
  if (one === null) return null
  if (one === 0 || other === 0) return one | other
  return (one & other) === 0 ? null : one & other
}

type Statements = {
  typed: TypedPlace
  city: City | null
  stated: ProvinceSet
  ofCity: ProvinceSet
  ofCode: ProvinceSet
  postalCode: string | null
  allowed: ProvinceSet | null
}

function doubtsOf({ typed, city, stated, ofCity, ofCode, postalCode, allowed }: Statements): readonly PlaceDoubt[] {
  const typedProvince = (typed.province ?? '').trim()
  const typedCity = (typed.city ?? '').trim()
  const name = (city?.provinces !== 0 && typedProvince !== '' ? typedCity : city?.written) ?? ''
  const ofName = typedCity === '' ? 'address.street' : 'address.city'
  if (allowed !== null) {
    if (ofCity !== 0 && !isSingle(ofCity))
      return [doubt('city_in_several_provinces', ofName, `${name} can be in ${oneOf(allowed)}`)]
    if (stated === 0 || isSingle(stated)) return NO_DOUBTS
    return typedProvince === ''
      ? [doubt('province_ambiguous', ofName, `The place can be in ${oneOf(stated)}`)]
      : [doubt('province_ambiguous', 'address.province', `“${typedProvince}” can be ${oneOf(stated)}`)]
  }
  const found: PlaceDoubt[] = []
  const agreed = within(stated, ofCity)
  const says = `the record says ${oneOf(stated)}`
  if (agreed === null) found.push(doubt('city_in_another_province', ofName, `${name} is in ${oneOf(ofCity)}, ${says}`))
  // A code that agrees with the town or with the stated province adds no contradiction to that between these two.
  if (ofCode !== 0 && (ofCode & (agreed ?? stated | ofCity)) === 0) {
    const isTyped = codeIn(typed.postalCode) !== null
    const field = isTyped ? 'address.postalCode' : city?.postalCode == null ? 'address.street' : ofName
    const place = isSingle(ofCity) ? `${name} is in ${oneOf(ofCity)}` : says
    found.push(
      doubt('postal_code_in_another_province', field, `Postal code ${postalCode} is in ${oneOf(ofCode)}, ${place}`),
    )
  }
  return found
}

function doubt(kind: PlaceDoubtKind, field: PlaceDoubtField, text: string): PlaceDoubt {
  return { kind, field, text, version: NORMALIZATION_VERSION }
}

function oneOf(set: ProvinceSet): string {
  return listed(provincesIn(set).map(provinceName), 'or')
}

/** `written`: the name as in the record, for texts. `towns`: the known towns of this name. `provinces`: those written behind the name. */
type City = {
  written: string
  folded: string
  towns: NamedTowns | undefined
  provinces: ProvinceSet
  postalCode: string | null
}

/** Reads a typed town. It can be followed by a postal code and a province, as in "Richmond KZN" and "Middelburg, Mpumalanga 1050". */
function readCity(typed: string | null | undefined): City | null {
  if (typed == null) return null
  const text = typed.slice(0, MAX_PLACE_READ)
  const all = placeWords(text)
  const whole = all.join(' ')
  if (whole === '') return null
  const written = text.trim()
  const known = townsNamed(whole)
  if (known !== undefined) return { written, folded: whole, towns: known, provinces: 0, postalCode: null }
  const isCode = (word: string, at: number) => at > 0 && /^\d{4}$/.test(word)
  const words = all.filter((word, at) => !isCode(word, at))
  const postalCode = all.find(isCode) ?? null
  const name = words.join(' ')
  const split = townsNamed(name) === undefined ? withoutProvince(words) : null
  // Without a sign between them, the words behind an unknown name may belong to it.
  const isSplit = split !== null && (townsNamed(split.name) !== undefined || /[,;/()]|\s-\s/.test(text))
  const folded = isSplit ? split.name : name
  return {
    written: folded === whole ? written : capitalised(folded),
    folded,
    towns: townsNamed(folded),
    provinces: isSplit ? split.provinces : 0,
    postalCode,
  }
}

function cityInLine(folded: string | null): City | null {
  if (folded === null) return null
  return { written: capitalised(folded), folded, towns: townsNamed(folded), provinces: 0, postalCode: null }
}

function capitalised(folded: string): string {
  return folded.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

/** Returns the current name of a town. If towns in several provinces have the typed name and differ in their current one, the province decides. */
function currentName({ folded, towns }: City, provinces: ProvinceSet): string {
  if (towns === undefined) return folded
  const only = onlyProvinceIn(provinces)
  return towns.name ?? (only === null ? undefined : towns.nameIn.get(only)) ?? folded
}

function placeWords(text: string): string[] {
  return foldText(text)
    .replace(/['’`.]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** Returns the digits of a typed postal code, without spaces and hyphens; null if it has none. */
function codeIn(typed: string | null | undefined): string | null {
  return /\d[\d -]{2,9}/.exec(typed ?? '')?.[0].replace(/[ -]/g, '') ?? null
}

/** Number of digits of the longest South African postal code. */
const LONGEST_CODE = 4

/** True if the country, a longer postal code or a state of the United States says that the address is not South African. */
function isAbroad(country: string | null, postalCode: string | null, region: string | null): boolean {
  if (country !== null) return country !== SOUTH_AFRICA
  if (postalCode !== null && postalCode.length > LONGEST_CODE) return true
  return region !== null && states.has(region)
}

/**
 * Returns the ISO 3166 code of a typed country. Null if it is missing, unknown, or has two meanings: `SA` is the code of Saudi Arabia, and people
 * write it for South Africa.
 */
export function readCountry(typed: string | null | undefined): string | null {
  if (typed == null) return null
  const named = placeWords(typed.slice(0, MAX_PLACE_READ))
    .join(' ')
    .replace(/^(?:the|die) /, '')
  if (named === 'sa' || named === 's a') return null
  return countryCodes.get(named) ?? null
}
