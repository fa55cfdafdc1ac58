import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { hashParts } from './hash-text.rules.ts'
import type { MatchRecord } from './match-record.ts'
import { inDigits, kindOf, nameWordsIn, type RecordValues } from './record-values.ts'

/** The keys that are kept beside a business, for what its identifiers and the beginning of its name do not find. */
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

/** The same of what a business says for itself. */
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

/** Those that are there, each once, the smallest first. */
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

/** The row of derived keys as it should be. */
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
/** Rows as the text that one statement takes apart: between threads, too, a text is cheaper than what it holds. */
export type KeyRows = string & { readonly [rowsOf]: 'keys' }
export type RecordRows = { text: string & { readonly [rowsOf]: 'records' }; count: number }

/** In the form of the store, which cuts the texts of rows there. */
export const ID_LENGTH = 36

/** Each as one text, the id and behind it the key, which `addKeys` cuts: a list in a list would be read twice. */
export function keyRows(keys: readonly (readonly [key: number, businessId: string])[]): KeyRows {
  return JSON.stringify(keys.map(([key, businessId]) => businessId + key)) as KeyRows
}

/** As many digits as the largest key has. */
export const KEY_DIGITS = 16
/** In the place of a key that a business has not. */
export const NO_KEY: string = '-'.repeat(KEY_DIGITS)

/** Each as one text, which `addRecords` cuts: the id, four keys and what it stands on, all of the same lengths. */
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

/** What `recordRows` made a text of: the keys of each business. */
export function keysIn({ text }: RecordRows): { businessId: string; keys: KeptKeys }[] {
  const digitsIn = (row: string, at: number) =>
    row.slice(ID_LENGTH + at * KEY_DIGITS, ID_LENGTH + (at + 1) * KEY_DIGITS)
  const keyIn = (row: string, at: number) => (digitsIn(row, at) === NO_KEY ? null : Number(digitsIn(row, at)))
  return (JSON.parse(text) as string[]).map((row) => ({
    businessId: row.slice(0, ID_LENGTH),
    keys: {
      name_key: Number(digitsIn(row, 0)),
      building_key: keyIn(row, 1),
      number_key: keyIn(row, 2),
      digits_key: keyIn(row, 3),
    },
  }))
}
