import type { Address, IdentifierKind } from '../../normalization/normalization.ts'

/** The stored fields of a business that matching reads; only the identifiers are derived. */
export type MatchInput = {
  id: string
  name: string
  tradingName: string | null
  registrationNumber: string | null
  street: string | null
  suburb: string | null
  city: string | null
  province: string | null
  postalCode: string | null
  country: string | null
  identifiers: readonly MatchIdentifier[]
}
/** An identifier of a business. `region`: the country that a person chose for a phone. */
export type MatchIdentifier = {
  kind: IdentifierKind
  original: string
  region: string | null
  normalized: string | null
}

/**
 * A value that several records can share. `records` and `places` count the records and places that have it. `loss`: the weight that it loses by being
 * shared. `seen`: the places counted so far, as one number or a list. Equal values are the same object.
 */
export type Shared = { records: number; places: number; loss: number; seen: number | number[] | null }

/**
 * A word of a name. `letters`: bit mask of its letters with the number of allowed slips. A `qualifier` names a place or part of a business and has no
 * weight.
 */
export type Word = {
  text: string
  letters: number
  weight: number
  kind: 'distinctive' | 'descriptive' | 'number' | 'qualifier'
  names: number
}
/** `joined`: all words joined, except the words of a qualifier, which come last in `words` */
export type Name = Shared & { canonical: string; words: readonly Word[]; joined: string; legalForm: string | null }
/** `digits`: the last nine digits, which are the same in the local and international form of a number */
export type Phone = Shared & { digits: string; international: string | null }
export type Domain = Shared & { name: string; label: string }
/** An email address. `domain` is null for a free-mail domain, which does not identify the business. */
export type Email = Shared & { address: string; domain: Domain | null; isRole: boolean }
export type ComparedAddress = Pick<
  Address,
  'number' | 'unit' | 'box' | 'complex' | 'suburb' | 'city' | 'provinces' | 'region' | 'postalCode' | 'country'
> & {
  street: readonly string[]
  doubts: Address['doubts']
}
/** A building: number, street and town */
export type Building = Shared

/** A business prepared for comparison. */
export type MatchRecord = {
  id: string
  /** hash of all typed values; changes if any value changes */
  facts: number
  names: readonly Name[]
  phones: readonly Phone[]
  emails: readonly Email[]
  domains: readonly Domain[]
  registration: string | null
  place: ComparedAddress
  building: Building | null
}
