import { bestName } from './compare-names.rules.ts'
import { LOCAL_DIGITS } from './compare-records.rules.ts'
import { leastKeptWeight } from './exact-arithmetic.rules.ts'
import { hashText } from './hash-text.rules.ts'
import { bitsOf, EVERY_LETTER, lettersDiffer, lettersOf, lettersWithSlips } from './letters.rules.ts'
import type { MatchRecord } from './match-record.ts'
import { configuration as c } from './matching-configuration.data.ts'

/** The most that two records, by their numbers, can come to, with the best of names: never less than what comparing them says. Symmetric. */
export type Outlines = { most(a: number, b: number): number }

const [PHONE, EMAIL, LABEL, REGISTRATION, NUMBER, STREET, TOWN, BOX_OR_COMPLEX] = [0, 1, 2, 3, 4, 5, 6, 7]
const COLUMNS = 8
const LEAST_ROOM = 64
const GROWTH = 1.25
/** In the place of a value's hash or letters. */
const NONE = 0
const SEVERAL = 1
/** Of a hash so many bits go into a small number. */
const HASH_BITS = 0x3fffffff

/**
 * What each record says in eight small numbers, one record after the other. Of most pairs that share a block these tell that not even
 * the same name could lift them, and the records, which lie anywhere in a gigabyte, are not touched. Equal values have equal numbers;
 * where those of two values agree, or a record has several, the best that it could mean is taken.
 */
export function createOutlines(): Outlines & { add(record: MatchRecord, at: number): void } {
  let rows = new Int32Array(LEAST_ROOM * COLUMNS)

  function mostOf(a: number, b: number, column: number, same: number, differs: number): number {
    const one = rows[a + column] ?? NONE
    const other = rows[b + column] ?? NONE
    if (one === NONE || other === NONE) return 0
    return one === other || one === SEVERAL || other === SEVERAL ? same : differs
  }

  function mostOfPlaces(a: number, b: number): number {
    const townsDiffer = townsAreTwo(rows[a + TOWN] ?? NONE, rows[b + TOWN] ?? NONE)
    const [street, otherStreet] = [rows[a + STREET] ?? NONE, rows[b + STREET] ?? NONE]
    if (street === NONE || otherStreet === NONE)
      return townsDiffer ? c.townDiffers : Math.max(c.townSame, mostOf(a, b, BOX_OR_COMPLEX, c.boxSame, c.boxSame))
    if (lettersDiffer(street, otherStreet)) return c.streetDiffers
    const [number, otherNumber] = [rows[a + NUMBER] ?? NONE, rows[b + NUMBER] ?? NONE]
    const isKnown = number !== NONE && otherNumber !== NONE
    if (townsDiffer)
      return isKnown && number === otherNumber ? c.placeSameOtherTown : Math.max(c.numberDiffers, c.townDiffers)
    return isKnown && number !== otherNumber ? Math.max(c.streetPartly, c.numberNear) : c.placeSame
  }

  return {
    add: (record, at) => {
      if ((at + 1) * COLUMNS > rows.length)
        rows = new Int32Array(rows.buffer.transfer(Math.ceil(at * GROWTH) * COLUMNS * Int32Array.BYTES_PER_ELEMENT))
      rows.set(outlineOf(record), at * COLUMNS)
    },
    most: (one, other) => {
      const [a, b] = [one * COLUMNS, other * COLUMNS]
      const phone = mostOf(a, b, PHONE, c.phoneSame, c.phoneDiffersNearby)
      const rest =
        c.prior +
        bestName +
        phone +
        mostOf(a, b, EMAIL, c.emailSame, 0) +
        mostOf(a, b, LABEL, c.domainSame, c.domainDiffers) +
        mostOf(a, b, REGISTRATION, c.registrationSame, c.registrationDiffers)
      const best = rest + c.placeSame
      if (best < leastKeptWeight) return best
      const place = mostOfPlaces(a, b)
      // A place that contradicts weighs less where the phone may be the same and nobody else's.
      return rest + (phone === c.phoneSame ? Math.max(place, c.movedPlace) : place)
    },
  }
}

/** In the order of the columns. */
function outlineOf({ phones, emails, domains, registration, place }: MatchRecord): number[] {
  const { number, street, city, box, complex } = place
  return [
    // A number without its area code may be the end of any.
    phones.some(({ international, digits }) => international === null && digits.length <= LOCAL_DIGITS)
      ? SEVERAL
      : oneOf(phones.map(({ digits }) => digits)),
    // `info@` of a domain of its own weighs nothing beside the domain.
    oneOf(emails.filter(({ isRole, domain }) => !isRole || domain === null).map(({ address }) => address)),
    oneOf(domains.map(({ label }) => label)),
    hashOf(registration),
    hashOf(number),
    lettersOfStreet(street),
    city === null ? NONE : lettersOf(city),
    box === null && complex === null ? NONE : SEVERAL,
  ]
}

function oneOf(values: readonly string[]): number {
  return values.length > 1 ? SEVERAL : hashOf(values[0] ?? null)
}

function hashOf(text: string | null): number {
  return text === null ? NONE : SEVERAL + 1 + (hashText(text) & HASH_BITS)
}

/** A street of several words differs from none in its letters. */
function lettersOfStreet([word, ...more]: readonly string[]): number {
  if (word === undefined) return NONE
  return more.length > 0 ? EVERY_LETTER : lettersWithSlips(word)
}

/** Whether two towns are surely not one with a slip. */
function townsAreTwo(one: number, other: number): boolean {
  return one !== NONE && other !== NONE && bitsOf(one ^ other) > 2
}
