import { isSingle, isTown } from '../../normalization/normalization.ts'
import { editDistance, wordSimilarity } from './edit-distance.rules.ts'
import type { ComparedAddress } from './match-record.ts'
import { configuration as c } from './matching-configuration.data.ts'

export type PlaceFinding =
  | 'same'
  | 'same_other_town'
  | 'same_unsure'
  | 'same_box'
  | 'same_street'
  | 'same_complex'
  | 'number_near'
  | 'number_differs'
  | 'unit_differs'
  | 'street_partly'
  | 'street_differs'
  | 'town_same'
  | 'town_differs'
  | 'province_differs'
  | 'country_differs'
  | 'unknown'

/** Compares two addresses, whose areas `compareAreas` has compared. The number of other records at the same address is not considered here. */
export function comparePlaces(a: ComparedAddress, b: ComparedAddress, area: AreaFinding): PlaceFinding {
  if (area === 'province_differs' || area === 'country_differs') return inTwoAreas(a, b, area)
  const town = a.city === null || b.city === null ? 'unknown' : namesDiffer(a.city, b.city) ? 'differs' : 'same'
  if (a.street.length > 0 && b.street.length > 0) {
    const street = compareStreets(a.street, b.street)
    if (street === 'differs') return 'street_differs'
    const number = compareNumbers(a.number, b.number)
    if (number === 'differs') return 'number_differs'
    if (street === 'partly')
      return town === 'differs' ? 'street_differs' : number === 'same' ? 'same_street' : 'street_partly'
    if (number === 'unknown') return town === 'differs' ? 'town_differs' : 'same_street'
    if (number === 'near') return town === 'differs' ? 'street_differs' : 'number_near'
    if (town === 'differs') return 'same_other_town'
    if (area === 'unsure' && town === 'same') return 'same_unsure'
    return a.unit !== null && b.unit !== null && a.unit !== b.unit ? 'unit_differs' : 'same'
  }
  if (a.box !== null && a.box === b.box && town !== 'differs') return 'same_box'
  if (a.complex !== null && a.complex === b.complex && town !== 'differs') return 'same_complex'
  return town === 'same' ? 'town_same' : town === 'differs' ? 'town_differs' : 'unknown'
}

/** Compares two addresses in different areas. Streets of one name and equal numbers are two places there. */
function inTwoAreas(
  a: ComparedAddress,
  b: ComparedAddress,
  area: 'province_differs' | 'country_differs',
): PlaceFinding {
  if (a.street.length === 0 || b.street.length === 0) return area
  if (compareStreets(a.street, b.street) === 'differs') return 'street_differs'
  return compareNumbers(a.number, b.number) === 'differs' ? 'number_differs' : area
}

export type AreaFinding = 'same' | 'unsure' | 'unknown' | 'province_differs' | 'country_differs'

/**
 * Compares the country and the province of two addresses. The province follows from what the record states, from the town and from the postal code.
 * `unsure`: the places can be two, even if their towns have one name: a province is missing, uncertain or contradicted on one side. `unknown`:
 * neither address tells a province. Foreign regions and postal codes that differ make a place unsure only, because a region is written in many ways.
 */
export function compareAreas(a: ComparedAddress, b: ComparedAddress): AreaFinding {
  if (a.country !== b.country) {
    if (a.country !== null && b.country !== null) return 'country_differs'
    if ((a.country ?? b.country) !== SOUTH_AFRICA) return 'unsure'
  }
  const [one, other] = [a.provinces, b.provinces]
  if (one !== 0 && other !== 0) {
    if ((one & other) === 0) return 'province_differs'
    const isOneArea = isSingle(one) || (a.postalCode !== null && a.postalCode === b.postalCode)
    return one === other && isOneArea ? 'same' : 'unsure'
  }
  if (one !== other) return 'unsure'
  const areRegionsApart = a.region !== null && b.region !== null && a.region !== b.region
  return areRegionsApart || codesAreApart(a.postalCode, b.postalCode) ? 'unsure' : 'unknown'
}

export const SOUTH_AFRICA = 'ZA'
const FOREIGN_DIGITS = 5

/** True for two foreign postal codes with different first digits, which stand for the parts of a country. */
function codesAreApart(one: string | null, other: string | null): boolean {
  if (one === null || other === null || one.length < FOREIGN_DIGITS || other.length < FOREIGN_DIGITS) return false
  return one.charCodeAt(0) !== other.charCodeAt(0)
}

/** True if both name a town and the towns differ: by name, or because they are in two provinces or countries. */
export function townsDiffer(a: ComparedAddress, b: ComparedAddress, area: AreaFinding = compareAreas(a, b)): boolean {
  if (area === 'province_differs' || area === 'country_differs') return true
  return a.city !== null && b.city !== null && namesDiffer(a.city, b.city)
}

function namesDiffer(a: string, b: string): boolean {
  return a !== b && !isSlip(a, b)
}

/** True if a finding proves that the two places are different. */
export function placesContradict(finding: PlaceFinding): boolean {
  return (
    finding === 'street_differs' ||
    finding === 'number_differs' ||
    finding === 'town_differs' ||
    finding === 'province_differs' ||
    finding === 'country_differs'
  )
}

export function placeWeight(finding: PlaceFinding): number {
  return weights[finding]
}

const weights: Readonly<Record<PlaceFinding, number>> = {
  same: c.placeSame,
  same_other_town: c.placeSameOtherTown,
  same_unsure: c.placeSameUnsure,
  same_box: c.boxSame,
  same_street: c.streetSameNumberMissing,
  same_complex: c.complexSame,
  number_near: c.numberNear,
  number_differs: c.numberDiffers,
  unit_differs: c.placeSame + c.unitDiffers,
  street_partly: c.streetPartly,
  street_differs: c.streetDiffers,
  town_same: c.townSame,
  town_differs: c.townDiffers,
  province_differs: c.areaDiffers,
  country_differs: c.areaDiffers,
  unknown: 0,
}

/**
 * Minimum length at which a one-letter difference between town names counts as a slip. Below it, one letter can distinguish two towns. Two known towns,
 * such as Ladysmith and Ladismith, are never a slip of each other.
 */
const LONG_TOWN = 7
function isSlip(a: string, b: string): boolean {
  return a.length >= LONG_TOWN && b.length >= LONG_TOWN && editDistance(a, b, 1) === 1 && !(isTown(a) && isTown(b))
}

function compareStreets(a: readonly string[], b: readonly string[]): 'same' | 'partly' | 'differs' {
  if (a === b) return 'same'
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const found = short.filter((word) => long.some((other) => wordSimilarity(word, other) > 0)).length
  if (found === short.length) return 'same'
  if (found > 0) return 'partly'
  return wordSimilarity(a.join(''), b.join('')) > 0 ? 'same' : 'differs'
}

/** Largest difference between two street numbers that still counts as the same building or its neighbours. */
const NEXT_DOORS = 10

function compareNumbers(a: string | null, b: string | null): 'same' | 'near' | 'differs' | 'unknown' {
  if (a === null || b === null) return 'unknown'
  if (a === b) return 'same'
  if (Math.abs(Number.parseInt(a, 10) - Number.parseInt(b, 10)) <= NEXT_DOORS) return 'near'
  if (a.length < 2 && b.length < 2) return 'differs'
  return editDistance(a, b, 1) === 1 ? 'near' : 'differs'
}
