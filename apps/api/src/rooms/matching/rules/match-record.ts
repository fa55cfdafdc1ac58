import type { Address, IdentifierKind } from '../../normalization/normalization.ts'

/** What matching reads of a business: as it is stored, nothing derived but the identifiers. */
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
  identifiers: readonly MatchIdentifier[]
}
/** `region`: the country that was chosen for a phone */
export type MatchIdentifier = {
  kind: IdentifierKind
  original: string
  region: string | null
  normalized: string | null
}

/** Something that several records may carry, with how many do and at how many places they are; `loss`: what it
 * therefore no longer tells. One object a value: the same value is the same object. `seen`: the places met so far, one or several. */
export type Shared = { records: number; places: number; loss: number; seen: number | number[] | null }

/** `letters`: those of its text, with slips. A `qualifier` says which place or part of a business is meant, and weighs nothing. */
export type Word = {
  text: string
  letters: number
  weight: number
  kind: 'distinctive' | 'descriptive' | 'number' | 'qualifier'
  names: number
}
/** `joined`: the words without those of a qualifier, which stand last */
export type Name = Shared & { canonical: string; words: readonly Word[]; joined: string; legalForm: string | null }
/** `digits`: the last nine, by which local and international forms of a number meet */
export type Phone = Shared & { digits: string; international: string | null }
export type Domain = Shared & { name: string; label: string }
/** `domain` is null for free mail */
export type Email = Shared & { address: string; domain: Domain | null; isRole: boolean }
export type Place = Pick<
  Address,
  'number' | 'unit' | 'box' | 'complex' | 'suburb' | 'city' | 'province' | 'postalCode'
> & {
  street: readonly string[]
  doubts: Address['doubts']
}
/** A building: number, street and town */
export type Building = Shared

/** A business as it is compared. */
export type MatchRecord = {
  id: string
  /** a number for everything that was typed: another one when anything changed */
  facts: number
  names: readonly Name[]
  phones: readonly Phone[]
  emails: readonly Email[]
  domains: readonly Domain[]
  registration: string | null
  place: Place
  building: Building | null
}
