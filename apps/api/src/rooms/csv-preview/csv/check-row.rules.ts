import { isFormula, isGuarded, withoutGuard } from '../../../lib/formula-guard.ts'
import { mapValues } from '../../../lib/map-values.ts'
import { facts, isContactFact, isNumberFact } from '../../businesses/businesses.pure.ts'
import {
  type IdentifierKind,
  normalizeIdentifier,
  placeDoubtKinds,
  placeDoubts,
  readProvinces,
  readWholeNumber,
  type Uncertainty,
} from '../../normalization/normalization.ts'
import { type CellValue, valuesOfCell } from './cell-values.rules.ts'
import type { Delimiter } from './dialect.ts'
import { joinSaid, readDoNotContact, type Said } from './do-not-contact.rules.ts'
import { type CsvField, isFact, type Mapping } from './fields.ts'

export const problemCodes = [
  'missing_name',
  'missing_cells',
  'extra_cells',
  'too_long',
  'several_lines',
  'unprintable',
  'formula',
  'phone_without_country',
  'not_a_phone_number',
  'invalid_phone_number',
  'not_an_email_address',
  'not_a_domain',
  'public_suffix',
  'unknown_suffix',
  'malformed',
  'single_label',
  'localhost',
  'ip_literal',
  'not_a_whole_number',
  'number_too_large',
  'unclear_do_not_contact',
  'rows_inside',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Codes of notes. A note is information about a cell and no problem. */
export const noteCodes = ['guard_removed', 'unknown_province', 'values_within', ...placeDoubtKinds] as const
export type NoteCode = (typeof noteCodes)[number]

/** A problem or a note about one cell. `column` counts from 0. `text`: a sentence with the values, where the code alone does not say enough. */
export type Finding<Code> = { column: number; code: Code; text?: string }

/** A cell that is read as an email address, phone or domain. `value` is as typed; `normalized` is null if the cell as a whole is no valid value. */
export type ContactCell = {
  column: number
  kind: IdentifierKind
  value: string
  region: string | null
  normalized: string | null
  /** the values within a cell that is none as a whole */
  within: readonly CellValue[]
}

const NONE: readonly CellValue[] = []
/** Maximum number of characters of a cell that are read for values. A row can be one cell of a megabyte. */
const READ_CHARACTERS = 10_000

export type CheckedRow = {
  /** the cells without the `'` that an export puts before a value that a spreadsheet would execute */
  cells: string[]
  problems: Finding<ProblemCode>[]
  notes: Finding<NoteCode>[]
  contacts: ContactCell[]
  /** the numbers of cells that are written with separators, in digits */
  numbers: { column: number; text: string }[]
  /** what the columns "Do not contact" say; null without such a column */
  said: Said | null
}

/** Maximum length of a cell with a number, with separators and spaces. */
const MAX_NUMBER_LENGTH = 50

/** Maximum lengths by field. A test compares them with the schema of the businesses room. */
export const fieldLengths: Record<CsvField, number> = {
  ...mapValues(facts, (fact) => ('max' in fact ? MAX_NUMBER_LENGTH : fact.maxLength)),
  tag: 50,
  contactPerson: 60,
  role: 100,
  note: 5_000,
  doNotContact: 200,
}

const noValues = { values: [], isWithoutCountry: true }
const uncertain = {
  no_country_context: 'phone_without_country',
  not_a_phone_number: 'not_a_phone_number',
  invalid_phone_number: 'invalid_phone_number',
  not_an_email_address: 'not_an_email_address',
  not_a_domain: 'not_a_domain',
  public_suffix: 'public_suffix',
  unknown_suffix: 'unknown_suffix',
  malformed: 'malformed',
  single_label: 'single_label',
  localhost: 'localhost',
  ip_literal: 'ip_literal',
} as const satisfies Record<Uncertainty, ProblemCode>

/** True if a cell has several tags, as in exports of this product, and none is too long. */
function areShortTags(cell: string): boolean {
  return cell.split(';').every((tag) => tag.trim().length <= fieldLengths.tag)
}

/** True if a line between the first and the last line of a cell has as many cells as the file has columns. Then a quote may be missing. */
function hasRowsInside(cell: string, delimiter: Delimiter, width: number): boolean {
  if (!cell.includes('\n') && !cell.includes('\r')) return false
  const lines = cell.split(/\r\n|\n|\r/)
  return lines.some((line, at) => at > 0 && at < lines.length - 1 && line.split(delimiter).length === width)
}

const control = /\p{Cc}/u
const unprintable = /[^\P{Cc}\t\n\r]/u
const severalLines = /[\t\r\n]/

/**
 * Creates the check of a row against the fields of a prospect. `phoneRegion`: the country that the person chose for local numbers in this file.
 * Without it, a local number is reported as ambiguous (specification, Phase 6 §2).
 */
export function createRowCheck(options: {
  mapping: Mapping
  width: number
  delimiter: Delimiter
  phoneRegion: string | null
}) {
  const { mapping, width, delimiter, phoneRegion } = options
  const nameColumn = mapping.indexOf('name')
  const hasSaid = mapping.includes('doNotContact')
  const placeColumns = {
    street: mapping.indexOf('address.street'),
    city: mapping.indexOf('address.city'),
    province: mapping.indexOf('address.province'),
    postalCode: mapping.indexOf('address.postalCode'),
    country: mapping.indexOf('address.country'),
  }
  const hasPlace = Object.values(placeColumns).some((column) => column !== -1)

  /** Adds a note for each part of the address that has two readings or contradicts another part. */
  function notePlace(cells: readonly string[], notes: CheckedRow['notes']): void {
    const cellAt = (column: number) => (cells[column] ?? '').trim() || null
    const typed = {
      street: cellAt(placeColumns.street),
      city: cellAt(placeColumns.city),
      province: cellAt(placeColumns.province),
      postalCode: cellAt(placeColumns.postalCode),
      country: cellAt(placeColumns.country),
    }
    for (const { kind: code, field, text } of placeDoubts(typed))
      notes.push({ column: mapping.indexOf(field), code, text })
  }

  return (cells: string[], isOverLines: boolean): CheckedRow => {
    const row: CheckedRow = { cells, problems: [], notes: [], contacts: [], numbers: [], said: hasSaid ? 'no' : null }
    const { problems, notes, contacts } = row
    if (cells.length > width) problems.push({ column: width, code: 'extra_cells' })
    if (cells.length < width) problems.push({ column: cells.length, code: 'missing_cells' })
    if (isOverLines && width > 1) {
      for (const [column, cell] of cells.entries())
        if (hasRowsInside(cell, delimiter, width)) problems.push({ column, code: 'rows_inside' })
    }
    for (let column = 0; column < cells.length; column++) {
      let cell = cells[column] ?? ''
      if (cell === '') continue
      if (isGuarded(cell)) {
        cell = withoutGuard(cell)
        cells[column] = cell
        notes.push({ column, code: 'guard_removed' })
      } else if (isFormula(cell)) problems.push({ column, code: 'formula' })
      // A delimiter too many moves values into cells that belong to no column, and the gate is asked about them too.
      if (column >= width) {
        const value = cell.slice(0, READ_CHARACTERS)
        contacts.push({ column, kind: 'domain', value, region: phoneRegion, normalized: null, within: NONE })
      }
      const field = mapping[column]
      if (field === null || field === undefined) continue
      if (cell.length > fieldLengths[field] && !(field === 'tag' && areShortTags(cell)))
        problems.push({ column, code: 'too_long' })
      if (field === 'doNotContact') {
        const said = readDoNotContact(cell)
        row.said = joinSaid(row.said, said)
        if (said === 'unclear') problems.push({ column, code: 'unclear_do_not_contact' })
        continue
      }
      // A note may have several lines, and the form replaces what cannot be stored.
      if (field !== 'note' && control.test(cell)) {
        if (severalLines.test(cell)) problems.push({ column, code: 'several_lines' })
        if (unprintable.test(cell)) problems.push({ column, code: 'unprintable' })
      }
      const kind = isFact(field) && isContactFact(field) ? field : undefined
      if (kind !== undefined) {
        if (cell.trim() === '') continue
        const region = kind === 'phone' ? phoneRegion : null
        const value = cell.length > READ_CHARACTERS ? cell.slice(0, READ_CHARACTERS) : cell
        const { normalized, uncertainty } = normalizeIdentifier(kind, value, region)
        if (normalized !== null) contacts.push({ column, kind, value, region, normalized, within: NONE })
        else {
          const isLocal = uncertainty === 'no_country_context'
          const { values, isWithoutCountry } = isLocal ? noValues : valuesOfCell(kind, value, region)
          contacts.push({ column, kind, value, region, normalized, within: values })
          if (isWithoutCountry) problems.push({ column, code: 'phone_without_country' })
          else if (values.length === 0) problems.push({ column, code: uncertain[uncertainty] })
          if (values.length > 0) notes.push({ column, code: 'values_within' })
        }
      } else if (isFact(field) && isNumberFact(field)) {
        const number = cell.trim() === '' ? undefined : readWholeNumber(cell)
        if (number === null) problems.push({ column, code: 'not_a_whole_number' })
        else if (number !== undefined && number > facts[field].max) problems.push({ column, code: 'number_too_large' })
        else if (number !== undefined && String(number) !== cell.trim())
          row.numbers.push({ column, text: String(number) })
      } else if (field === 'address.province' && readProvinces(cell) === 0) {
        notes.push({ column, code: 'unknown_province' })
      }
    }
    if (hasPlace) notePlace(cells, notes)
    if (nameColumn !== -1 && nameColumn < cells.length && (cells[nameColumn] ?? '').trim() === '') {
      problems.push({ column: nameColumn, code: 'missing_name' })
    }
    return row
  }
}
