import { placeDoubts } from '../../normalization/normalization.ts'
import type { BusinessIdentifierTable, BusinessTable } from '../businesses.table.ts'

/*
 * Doubts about the stored values of a record, stored as a sum so that a list can be filtered by them (specification, Phase 6 §2). The record itself
 * names each doubt in its answers.
 */

/** Number of each kind of doubt in the sum. `place`: `placeDoubts` of the address. `phone`: a phone without a normalized form. */
const numbers = { place: 1, phone: 2 } as const

export const doubtKinds = ['place', 'phone'] as const
type DoubtKind = (typeof doubtKinds)[number]

type Place = Pick<BusinessTable, 'street' | 'city' | 'province' | 'postal_code' | 'country'>
type Identifier = Pick<BusinessIdentifierTable, 'kind' | 'normalized'>

/** Returns the sum of the doubts about these values. */
export function doubtsOf(place: Place, identifiers: readonly Identifier[]): number {
  const hasPlace = placeDoubts({ ...place, postalCode: place.postal_code }).length > 0
  const hasPhone = identifiers.some(({ kind, normalized }) => kind === 'phone' && normalized === null)
  return (hasPlace ? numbers.place : 0) + (hasPhone ? numbers.phone : 0)
}

/** Returns the sums that contain one of these kinds. */
export function sumsWith(kinds: readonly DoubtKind[]): number[] {
  return [1, 2, 3].filter((sum) => kinds.some((kind) => (sum & numbers[kind]) !== 0))
}
