import { bestName } from './compare-names.rules.ts'
import { LOCAL_DIGITS } from './compare-records.rules.ts'
import { leastKeptWeight } from './exact-arithmetic.rules.ts'
import { hashText } from './hash-text.rules.ts'
import { bitsOf, EVERY_LETTER, lettersDiffer, lettersOf, lettersWithSlips } from './letters.rules.ts'
import type { MatchRecord } from './match-record.ts'
import { configuration as c } from './matching-configuration.data.ts'

/**
 * `most` returns an upper bound of the total weight of two records, given by number, as if their names were equal. A comparison never exceeds it.
 * Symmetric.
 */
export type Outlines = { most(a: number, b: number): number }

const [PHONE, EMAIL, LABEL, REGISTRATION, NUMBER, STREET, TOWN, BOX_OR_COMPLEX] = [0, 1, 2, 3, 4, 5, 6, 7]
const COLUMNS = 8
const LEAST_ROOM = 64
const GROWTH = 1.25
/** Placeholder for a missing hash or letter mask. */
const NONE = 0
const SEVERAL = 1
/** Bit mask that shortens a hash to a small integer, which V8 stores without an allocation. */
const HASH_BITS = 0x3fffffff

/**
 * Stores eight small integers per record contiguously. For most pairs in a block they prove that even equal names cannot reach the threshold, so the
 * records, scattered over a gigabyte of memory, are not read. Equal values have equal integers. If hashes collide or a record has several values, the
 * bound assumes the best possible result.
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
      // The weaker penalty of a moved business applies, because possibly no other record has the phone.
      return rest + (phone === c.phoneSame ? Math.max(place, c.movedPlace) : place)
    },
  }
}

/** Returns the eight integers of a record in the order of the columns. */
function outlineOf({ phones, emails, domains, registration, place }: MatchRecord): number[] {
  const { number, street, city, box, complex } = place
  return [
    // `SEVERAL`, because a number without its area code can be the end of any number.
    phones.some(({ international, digits }) => international === null && digits.length <= LOCAL_DIGITS)
      ? SEVERAL
      : oneOf(phones.map(({ digits }) => digits)),
    // Role mailboxes of a company domain are left out, because they add no weight to the equal domain.
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

/** Returns the letter mask of a street. A street of several words gets every letter, so that the mask never proves a difference. */
function lettersOfStreet([word, ...more]: readonly string[]): number {
  if (word === undefined) return NONE
  return more.length > 0 ? EVERY_LETTER : lettersWithSlips(word)
}

/** True if the letters of two town names prove that the towns are different, even if one name contains a slip. */
function townsAreTwo(one: number, other: number): boolean {
  return one !== NONE && other !== NONE && bitsOf(one ^ other) > 2
}
