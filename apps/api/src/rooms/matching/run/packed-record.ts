import type { Building, ComparedAddress, Domain, Email, MatchRecord, Name, Phone } from '../rules/match-record.ts'
import type { RecordColumns } from './record-columns.ts'

const NONE: readonly never[] = []

/**
 * A list that stores a single value without the list. Nearly every record has one name, phone and domain, and a list with one element takes as much
 * memory as a record.
 */
type Packed<V> = V | Several<V> | null

class Several<V> {
  readonly all: readonly V[]
  constructor(all: readonly V[]) {
    this.all = all
  }
}

function pack<V>(values: readonly V[]): Packed<V> {
  const [first] = values
  if (first === undefined) return null
  // The list is copied, because a list that grew by `push` has capacity for 16 more elements.
  return values.length === 1 ? first : new Several(values.slice())
}

function unpack<V>(packed: Packed<V>): readonly V[] {
  if (packed === null) return NONE
  return packed instanceof Several ? packed.all : [packed]
}

/** Fields that few addresses have. Addresses without any of them share one object. */
type RarePlace = Pick<ComparedAddress, 'unit' | 'box' | 'complex' | 'region' | 'country' | 'doubts'>

const nothingRare: RarePlace = { unit: null, box: null, complex: null, region: null, country: null, doubts: NONE }

/** The same for the addresses of one country, which a whole tenant can have typed. */
const rareByCountry = new Map<string, RarePlace>()

function rareOf({ unit, box, complex, region, country, doubts }: ComparedAddress): RarePlace {
  if (unit !== null || box !== null || complex !== null || region !== null || doubts.length > 0)
    return { unit, box, complex, region, country, doubts }
  if (country === null) return nothingRare
  const known = rareByCountry.get(country) ?? { ...nothingRare, country }
  rareByCountry.set(country, known)
  return known
}

/** A record in a form that takes less memory, for a million of them. Its id, lists and place are created on each access. */
export class PackedRecord implements MatchRecord {
  readonly registration: string | null
  readonly building: Building | null
  readonly #columns: RecordColumns
  readonly #at: number
  readonly #names: Packed<Name>
  readonly #phones: Packed<Phone>
  readonly #emails: Packed<Email>
  readonly #domains: Packed<Domain>
  readonly #number: string | null
  readonly #street: readonly string[]
  readonly #suburb: string | null
  readonly #city: string | null
  readonly #provinces: ComparedAddress['provinces']
  readonly #postalCode: string | null
  readonly #rare: RarePlace

  /** Packs a record whose id and fact hash are at index `at` of `columns`. */
  constructor(record: MatchRecord, columns: RecordColumns, at: number) {
    this.#columns = columns
    this.#at = at
    this.registration = record.registration
    this.building = record.building
    this.#names = pack(record.names)
    this.#phones = pack(record.phones)
    this.#emails = pack(record.emails)
    this.#domains = pack(record.domains)
    this.#number = record.place.number
    this.#street = record.place.street
    this.#suburb = record.place.suburb
    this.#city = record.place.city
    this.#provinces = record.place.provinces
    this.#postalCode = record.place.postalCode
    this.#rare = rareOf(record.place)
  }

  get id(): string {
    return this.#columns.idOf(this.#at)
  }

  get facts(): number {
    return this.#columns.factsOf(this.#at)
  }

  get names(): readonly Name[] {
    return unpack(this.#names)
  }

  get phones(): readonly Phone[] {
    return unpack(this.#phones)
  }

  get emails(): readonly Email[] {
    return unpack(this.#emails)
  }

  get domains(): readonly Domain[] {
    return unpack(this.#domains)
  }

  get place(): ComparedAddress {
    const { unit, box, complex, region, country, doubts } = this.#rare
    return {
      number: this.#number,
      street: this.#street,
      unit,
      box,
      complex,
      suburb: this.#suburb,
      city: this.#city,
      provinces: this.#provinces,
      region,
      postalCode: this.#postalCode,
      country,
      doubts,
    }
  }
}
