import { isNumberFact } from '../../businesses/businesses.pure.ts'
import { findProvinceCode } from '../../normalization/normalization.ts'
import { type CsvField, csvFields, isFact, repeatableFields } from './fields.ts'
import {
  familyNames,
  foreignPhrases,
  foreignWords,
  formsOfAddress,
  givenNames,
  headings,
  middleNames,
  namesOfEither,
  tellingWords,
} from './headings.data.ts'
import { hostIn, looksLikeDomain, looksLikeEmail, looksLikePhone } from './read-cell.rules.ts'

export type Suggestion = { field: CsvField | null; because: 'header' | 'content' | null }

/** Minimum share of cells that must look like a field if only the content suggests it. */
const SURE_SHARE = 0.7
/** Minimum share of cells with a legal form, such as `(Pty) Ltd`, for a column of names. */
const LEGAL_FORM_SHARE = 0.3

/** Fields by heading, with the place of the heading in the list of its field. An earlier place is preferred. */
const placesByHeading = new Map<string, Map<CsvField, number>>()
for (const field of csvFields) {
  for (const [place, heading] of headings[field].entries())
    placesByHeading.getOrInsertComputed(heading, () => new Map()).set(field, place)
}

/** A column with its cells that are not empty in the sample. */
type Column = { heading: Heading; filled: readonly string[] }
type Heading = { key: string; places: ReadonlyMap<CsvField, number>; isForeign: boolean; isTold: boolean }

/**
 * Suggests a field for each column, by its heading if that is known and otherwise by its content. Of several columns for a field with one value, the
 * one with the preferred heading is suggested. A column of our own people, of fax numbers, or of identity or account numbers gets no field. The person
 * decides.
 */
export function suggestMapping(header: readonly string[] | null, sample: readonly (readonly string[])[]): Suggestion[] {
  const width = Math.max(header?.length ?? 0, ...sample.map((row) => row.length))
  const columns: Column[] = Array.from({ length: width }, (_, column) => ({
    heading: readHeading(header?.[column] ?? ''),
    filled: sample.map((row) => row[column] ?? '').filter((cell) => cell.trim() !== ''),
  }))
  const fields: (CsvField | null)[] = columns.map(() => null)
  /** Returns the free columns whose heading names the field and whose content does not contradict it, the preferred one first. */
  const candidates = (field: CsvField, wanted: (column: Column) => boolean) =>
    [...columns.entries()]
      .filter(([at, column]) => fields[at] === null && wanted(column) && canBe(column, field))
      .sort(([, a], [, b]) => Number(isEmpty(a)) - Number(isEmpty(b)) || placeOf(a, field) - placeOf(b, field))
      .map(([at]) => at)
  const take = (field: CsvField, taken: readonly number[]) => {
    for (const at of taken) fields[at] = field
    return taken.length > 0
  }
  const takeBest = (field: CsvField, wanted: (column: Column) => boolean) =>
    take(field, candidates(field, wanted).slice(0, 1))

  const has = (keys: ReadonlySet<string>) => columns.some(({ heading }) => keys.has(heading.key))
  // With a surname but no first name beside it, a column "Name" is a first name.
  const hasSurname = has(familyNames)
  const isFirstName = ({ heading: { key } }: Column) => hasSurname && !has(givenNames) && namesOfEither.has(key)
  const isPart = ({ heading: { key } }: Column) => givenNames.has(key) || middleNames.has(key) || familyNames.has(key)
  const isWhole = (column: Column) => !isPart(column) && !isFirstName(column)
  if (!takeBest('name', ({ heading }) => !namesOfEither.has(heading.key)))
    takeBest('name', ({ heading }) => heading.key === 'contactname' || !hasSurname)
  if (!takeBest('contactPerson', (column) => isWhole(column) && !isEmpty(column))) {
    const parts = candidates('contactPerson', (column) => !isWhole(column))
    if (!take('contactPerson', parts)) takeBest('contactPerson', isWhole)
  }
  for (const field of csvFields) {
    if (field === 'contactPerson' || field === 'name') continue
    if (repeatableFields.has(field))
      take(
        field,
        candidates(field, () => true),
      )
    else takeBest(field, () => true)
  }
  const taken = new Set(fields)
  return columns.map(({ heading, filled }, column): Suggestion => {
    const byHeading = fields[column] ?? null
    if (byHeading !== null) return { field: byHeading, because: 'header' }
    const isDecided = heading.isForeign || (heading.places.size > 0 && filled.length > 0)
    const found = isDecided ? undefined : fieldByContent(filled)
    if (found === undefined || (taken.has(found) && !repeatableFields.has(found))) return { field: null, because: null }
    taken.add(found)
    return { field: found, because: 'content' }
  })
}

const isEmpty = ({ filled }: Column) => filled.length === 0
const placeOf = ({ heading }: Column, field: CsvField) => heading.places.get(field) ?? 0

function canBe({ heading, filled }: Column, field: CsvField): boolean {
  if (!heading.places.has(field)) return false
  if (isFact(field) && isNumberFact(field))
    return share(filled, (cell) => /\d/.test(cell)) >= SURE_SHARE || filled.length === 0
  if (field === 'role') return filled.length === 0 || filled.some((cell) => !formsOfAddress.test(cell.trim()))
  if (field === 'domain') return share(filled, (cell) => hostIn(cell) === 'shared') < SURE_SHARE
  return !heading.isTold || field !== 'email' || filled.length === 0 || filled.some(looksLikeEmail)
}

/** Returns a field that a heading names, or null. It does not depend on the other columns. */
export function fieldOfHeading(heading: string): CsvField | null {
  return [...readHeading(heading).places.keys()][0] ?? null
}

/** Reads a heading: as a whole, without its numbers, by its parts (`Besigheid / Company`), and by a word that tells its kind (`Cell (w)`). */
function readHeading(text: string): Heading {
  const key = folded(text)
  const whole = placesByHeading.get(key) ?? placesByHeading.get(key.replace(/\d/g, ''))
  const without = key.replace(/\d/g, '')
  if (whole !== undefined) return { key: without, places: whole, isForeign: false, isTold: false }
  const words = wordsOf(text)
  const phrase = words.join(' ')
  if (words.some((word) => foreignWords.has(word)) || foreignPhrases.some((one) => one.test(phrase)))
    return { key: without, places: new Map(), isForeign: true, isTold: false }
  const told = words.map((word) => tellingWords.get(word)).filter((field) => field !== undefined)
  const parts = text.split(/[/|\\,;:()[\]–—&+]| - /).map((part) => placesByHeading.get(folded(part).replace(/\d/g, '')))
  const known = parts.filter((part) => part !== undefined)
  if (known.length > 0) return { key: without, places: common(known), isForeign: false, isTold: false }
  const [field] = told
  const isOne = field !== undefined && told.every((one) => one === field)
  return { key: without, places: new Map(isOne ? [[field, 0]] : []), isForeign: false, isTold: isOne }
}

/** Returns the fields that all parts of a heading name. */
function common(parts: readonly ReadonlyMap<CsvField, number>[]): ReadonlyMap<CsvField, number> {
  const [first = new Map<CsvField, number>(), ...others] = parts
  return new Map([...first].filter(([field]) => others.every((other) => other.has(field))))
}

function folded(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

/** Returns the words of a heading, also of one such as `FaxNumber` or `account_owner`. */
function wordsOf(heading: string): string[] {
  return heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\be-(?=mail|pos)/g, 'e')
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

function share(cells: readonly string[], is: (cell: string) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter(is).length / cells.length
}

function fieldByContent(filled: readonly string[]): CsvField | undefined {
  if (share(filled, looksLikeEmail) >= SURE_SHARE) return 'email'
  if (share(filled, looksLikeDomain) >= SURE_SHARE) return 'domain'
  if (share(filled, looksLikePhone) >= SURE_SHARE) return 'phone'
  if (share(filled, (cell) => findProvinceCode(cell) !== undefined) >= SURE_SHARE) return 'address.province'
  if (share(filled, (cell) => legalForm.test(cell)) >= LEGAL_FORM_SHARE) return 'name'
  return undefined
}

const legalForm = /\b(?:pty|ltd|limited|cc|inc|npc|bpk|edms|llc|gmbh)\b/i
