import { editDistance, wordSimilarity } from './edit-distance.rules.ts'
import type { ComparedAddress } from './match-record.ts'
import { configuration as c } from './matching-configuration.data.ts'

export type PlaceFinding =
  | 'same'
  | 'same_other_town'
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
  | 'unknown'

/** Compares two addresses. The number of other records at the same address is not considered here. */
export function comparePlaces(a: ComparedAddress, b: ComparedAddress): PlaceFinding {
  const town = a.city === null || b.city === null ? 'unknown' : townsDiffer(a, b) ? 'differs' : 'same'
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
    return a.unit !== null && b.unit !== null && a.unit !== b.unit ? 'unit_differs' : 'same'
  }
  if (a.box !== null && a.box === b.box && town !== 'differs') return 'same_box'
  if (a.complex !== null && a.complex === b.complex && town !== 'differs') return 'same_complex'
  return town === 'same' ? 'town_same' : town === 'differs' ? 'town_differs' : 'unknown'
}

/** True if both name a town and the towns differ. */
export function townsDiffer(a: ComparedAddress, b: ComparedAddress): boolean {
  return a.city !== null && b.city !== null && a.city !== b.city && !isSlip(a.city, b.city)
}

/** True if a finding proves that the two places are different. */
export function placesContradict(finding: PlaceFinding): boolean {
  return finding === 'street_differs' || finding === 'number_differs' || finding === 'town_differs'
}

export function placeWeight(finding: PlaceFinding): number {
  return weights[finding]
}

const weights: Readonly<Record<PlaceFinding, number>> = {
  same: c.placeSame,
  same_other_town: c.placeSameOtherTown,
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
  unknown: 0,
}

/** Minimum length at which a one-letter difference between town names counts as a slip. Below it, one letter can distinguish two towns. */
const LONG_TOWN = 7
function isSlip(a: string, b: string): boolean {
  return a.length >= LONG_TOWN && b.length >= LONG_TOWN && editDistance(a, b, 1) === 1
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
