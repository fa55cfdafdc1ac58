import { readTexts } from '../../../store/json-column.ts'
import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { hashParts } from './hash-text.rules.ts'
import type { MatchRecord } from './match-record.ts'
import { inDigits, kindOf, nameWordsIn, type RecordValues } from './record-values.ts'

/** Lookup keys that are stored for a business. A check also finds candidates by them whose identifiers and beginning of the name all differ. */
export type KeptKeys = {
  name_key: number
  building_key: number | null
  number_key: number | null
  digits_key: number | null
}

const LETTERS = 3

export function keptKeys({ names, place, phones }: MatchRecord): KeptKeys {
  const words = names[0]?.words.filter(({ kind }) => kind !== 'qualifier').map(({ text }) => text) ?? []
  return keysFrom(words, { ...place, street: place.street.join(' ') }, phones)
}

/** Computes the stored keys of one business. */
export function keptKeysOf({ names, place, phones }: RecordValues): KeptKeys {
  const words = nameWordsIn(names[0]?.canonical ?? '').filter((word) => kindOf(word) !== 'qualifier')
  return keysFrom(words.map(inDigits), place, phones)
}

function keysFrom(
  words: readonly string[],
  { number, street, city }: Pick<RecordValues['place'], 'number' | 'street' | 'city'>,
  phones: RecordValues['phones'],
): KeptKeys {
  const letters = words.join('').slice(0, LETTERS)
  const local = phones.find(({ international }) => international === null)
  return {
    name_key: hashParts('name', [words.toSorted().join('')]),
    building_key: number === null || street === '' ? null : hashParts('building', [number, street]),
    number_key: number === null ? null : hashParts('number', [number, city, letters]),
    digits_key: local === undefined ? null : digitsKey(local.digits),
  }
}

/** Returns the keys that are not null, unique and ascending. */
export function keysOf({ name_key, building_key, number_key, digits_key }: KeptKeys): number[] {
  const keys = [name_key, building_key, number_key, digits_key].filter((key) => key !== null)
  return keys.filter((key, at) => keys.indexOf(key) === at).sort((a, b) => a - b)
}

export function digitsKey(digits: string): number {
  return hashParts('digits', [digits])
}

export type KeysRow = KeptKeys & {
  tenant_id: string
  business_id: string
  facts: number
  normalization_version: string
}

/** Builds the row of derived keys for a record. */
export function keysRow(tenantId: string, record: MatchRecord): KeysRow {
  return {
    tenant_id: tenantId,
    business_id: record.id,
    ...keptKeys(record),
    facts: record.facts,
    normalization_version: NORMALIZATION_VERSION,
  }
}

declare const rowsOf: unique symbol
/** Rows as one text, the parameter of a single statement. Posting a text between threads is also cheaper than posting an object. */
export type KeyRows = string & { readonly [rowsOf]: 'keys' }
export type RecordRows = { text: string & { readonly [rowsOf]: 'records' }; count: number }

/** Length of an id. The statements that read row texts cut ids out by this length. */
export const ID_LENGTH = 36

/** Concatenates the id and key of each row into one text, which `addKeys` splits. With a nested list SQLite would have to parse JSON twice. */
export function keyRows(keys: readonly (readonly [key: number, businessId: string])[]): KeyRows {
  return JSON.stringify(keys.map(([key, businessId]) => businessId + key)) as KeyRows
}

/** Number of decimal digits of the largest key. */
export const KEY_DIGITS = 16
/** Placeholder for a missing key in a row text. */
export const NO_KEY: string = '-'.repeat(KEY_DIGITS)

/** Concatenates the id, four keys and fact hash of each row into one text, each with a fixed length, which `addRecords` splits. */
export function recordRows(rows: readonly KeysRow[]): RecordRows {
  const texts = rows.map(
    ({ business_id, name_key, building_key, number_key, digits_key, facts }) =>
      business_id +
      digitsOf(name_key) +
      digitsOf(building_key) +
      digitsOf(number_key) +
      digitsOf(digits_key) +
      digitsOf(facts),
  )
  return { text: JSON.stringify(texts) as RecordRows['text'], count: rows.length }
}

function digitsOf(key: number | null): string {
  return key === null ? NO_KEY : String(key).padStart(KEY_DIGITS, '0')
}

/** Parses the keys of each business from the text of `recordRows`. */
export function keysIn({ text }: RecordRows): { businessId: string; keys: KeptKeys }[] {
  const digitsIn = (row: string, at: number) =>
    row.slice(ID_LENGTH + at * KEY_DIGITS, ID_LENGTH + (at + 1) * KEY_DIGITS)
  const keyIn = (row: string, at: number) => (digitsIn(row, at) === NO_KEY ? null : Number(digitsIn(row, at)))
  return readTexts(text).map((row) => ({
    businessId: row.slice(0, ID_LENGTH),
    keys: {
      name_key: Number(digitsIn(row, 0)),
      building_key: keyIn(row, 1),
      number_key: keyIn(row, 2),
      digits_key: keyIn(row, 3),
    },
  }))
}
