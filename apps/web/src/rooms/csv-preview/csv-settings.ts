/** Settings for reading a CSV file, and texts for what the server found in it. */

import type { CsvField, CsvPreview, CsvRow } from '@prospect/api-client'
import { factFields } from '../../ui/text/facts.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { formatNumber } from '../../ui/text/format.ts'

export type CsvSettings = {
  encoding?: CsvPreview['dialect']['encoding']
  delimiter?: CsvPreview['dialect']['delimiter']
  quote?: CsvPreview['dialect']['quote']
  /** False: the file has no column names. */
  header?: false
  /** Line of the column names. */
  headerLine?: number
  mapping?: (CsvField | null)[]
  phoneRegion?: string
}

export function settingsQuery({
  mapping,
  ...settings
}: CsvSettings): Record<string, string | number | boolean | undefined> {
  if (mapping === undefined) return settings
  // A mapping without any field is still a choice of the user, so it is sent as 'none'.
  const named = mapping.flatMap((field, place) => (field === null ? [] : [`${place + 1}:${field}`]))
  return { ...settings, mapping: named.length === 0 ? 'none' : named.join(',') }
}

/** Fields that only rows of a file have. */
const furtherNames = {
  tag: 'Tag',
  contactPerson: 'Contact person',
  role: 'Role',
  note: 'Note',
  doNotContact: 'Do not contact',
} as const satisfies Partial<Record<CsvField, string>>
const furtherFields = Object.keys(furtherNames) as (keyof typeof furtherNames)[]

export const csvFields: readonly CsvField[] = [...factFields, ...furtherFields]
const repeatable = new Set<CsvField>(['email', 'phone', 'domain', ...furtherFields.filter((field) => field !== 'role')])

/** Assigns a field to a column. A field that can occur only once is removed from its previous column. */
export function mapColumn(mapping: readonly (CsvField | null)[], column: number, field: CsvField | null) {
  return mapping.map((known, place) => {
    if (place === column - 1) return field
    return known === field && field !== null && !repeatable.has(field) ? null : known
  })
}

export const fieldOptions = csvFields.map((field) => ({
  value: field,
  label: field in furtherNames ? furtherNames[field as keyof typeof furtherNames] : fieldName(field),
}))

const problemWords: Record<CsvRow['problems'][number]['code'], string> = {
  missing_name: 'No name',
  missing_cells: 'Cells are missing',
  extra_cells: 'More cells than columns',
  too_long: 'Too long',
  several_lines: 'Several lines',
  unprintable: 'Invalid characters',
  formula: 'Formula: a spreadsheet would run this',
  phone_without_country: 'Local number without a country',
  not_a_phone_number: 'Not a phone number',
  invalid_phone_number: 'Not a valid phone number',
  not_an_email_address: 'Not an email address',
  not_a_domain: 'Not a web domain',
  public_suffix: 'Only a domain ending, not a domain',
  unknown_suffix: 'This domain ending does not exist',
  malformed: 'Malformed web domain',
  single_label: 'A single word, not a web domain',
  localhost: 'Name of the local computer, not a web domain',
  ip_literal: 'IP address, not a web domain',
  not_a_whole_number: 'Not one whole number, but a range, an estimate, or a number with two meanings',
  number_too_large: 'The number is too large',
  unclear_do_not_contact: 'Neither yes nor no',
  rows_inside: 'Contains several lines, so a quote may be missing',
}
const noteWords: Record<CsvRow['notes'][number]['code'], string> = {
  guard_removed: 'A protective character was removed',
  unknown_province: 'Not one of the nine provinces',
  city_in_several_provinces: 'Towns in several provinces have this name',
  city_in_another_province: 'Not in this province',
  postal_code_in_another_province: 'Postal code of another province',
  province_ambiguous: 'Can be several provinces',
  values_within: 'Found within other text',
}
export const problemText = (code: CsvRow['problems'][number]['code']): string => problemWords[code]
export const noteText = (code: CsvRow['notes'][number]['code']): string => noteWords[code]
/** Text of a note about one cell: with the values of the row if the service has them. */
export const noteInRow = ({ code, text }: CsvRow['notes'][number]): string => text ?? noteText(code)

export const malformedWords: Record<CsvPreview['malformed'][number]['code'], string> = {
  quote_inside_cell: 'a quote inside a cell that does not start with one',
  text_after_quote: 'text after a closing quote',
  quote_not_closed: 'a quote that is not closed',
}

/** Warnings about a row as a whole. */
export function rowRemarks(row: CsvRow): string[] {
  const kinds = { email: 'e-mail', phone: 'phone', domain: 'web domain', cells: 'cells' }
  return row.duplicates.map(({ kind, row: other }) => `Same ${kinds[kind]} as row ${formatNumber(other)}`)
}
