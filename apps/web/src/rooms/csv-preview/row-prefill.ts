/** Converts a row of a preview to form values of a prospect and to an observation with its source. Pure functions. */

import type { CsvPreview, CsvRow, EvidenceField } from '@prospect/api-client'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { type RowPrefill, type RowSource, thisPage } from '../../ui/prospects/row-prefill.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { addressParts, factFields, plainFacts } from '../../ui/text/facts.ts'
import { onOneLine } from '../../ui/text/on-one-line.ts'

/** Source reference of a row: file name, row number and hash of the file. A long name is shortened, the hash never. */
export function sourceReference(fileName: string, { row, line }: CsvRow, sha256: string): string {
  return named(fileName, ` · row ${row} (line ${line}) · SHA-256 ${sha256}`)
}

/** Number of characters of a hash by which two files with one name differ. */
const SHORT_HASH = 8

/** Label of a file as a source: its name and the beginning of its hash. A long name is shortened. */
export function sourceLabelOf(fileName: string, sha256: string): string {
  return named(`CSV file ${fileName}`, ` (${sha256.slice(0, SHORT_HASH)})`)
}

/** Returns a name and its end within the length of a reference. A long name is shortened, the end never. */
function named(name: string, end: string): string {
  return shortened(name.replace(/\s+/g, ' '), inputLimits.evidenceReference - end.length) + end
}

const shortened = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text)

/** Text of the whole row: each filled cell after its column name. */
function observationOf({ columns }: CsvPreview, { cells }: CsvRow): string {
  const lines = cells.flatMap((cell, place) =>
    cell.trim() === '' ? [] : [`${columns[place]?.name || `Column ${place + 1}`}: ${cell}`],
  )
  return storable(lines.join('\n'), inputLimits.observation)
}

/** The text as it can be stored. A character that cannot be stored becomes a space, because deleting it would join the texts around it. */
function storable(text: string, limit: number): string {
  return shortened(text.replace(/[^\P{Cc}\t\n\r]/gu, ' '), limit)
}

/** Text of the cells that are notes, with their line ends. */
function notesOf({ columns }: CsvPreview, { cells }: CsvRow): string {
  const notes = columns.flatMap(({ column, field }) => (field === 'note' ? [cells[column - 1] ?? ''] : []))
  const text = notes.filter((note) => note.trim() !== '').join('\n')
  return storable(text, inputLimits.note)
}

export type Cell = { column: number; name: string; value: string; isCut: boolean }

/** Filled cells of a row; column numbers start at 1. */
export function cellsOf({ columns }: CsvPreview, { cells, cut }: CsvRow): Cell[] {
  return cells.flatMap((value, place) =>
    value.trim() === ''
      ? []
      : [
          {
            column: place + 1,
            name: columns[place]?.name || `Column ${place + 1}`,
            value,
            isCut: cut.includes(place + 1),
          },
        ],
  )
}

/** Texts of a cell, each on one line: the values that were read within it, otherwise the cell itself, without blank ones. Columns start at 1. */
export function textsOf({ cells, values }: CsvRow, column: number): string[] {
  const texts = values.find((one) => one.column === column)?.texts ?? [cells[column - 1] ?? '']
  return texts.map(onOneLine).filter((text) => text.trim() !== '')
}

const MAX_VALUE = 500

/** Evidence fields and values of the selected cells whose columns are mapped to fields. */
export function observationsOf(
  preview: CsvPreview,
  row: CsvRow,
  selected: readonly number[],
): { field: EvidenceField; value: string }[] {
  return cellsOf(preview, row).flatMap(({ column, value }) => {
    const field = factFields.find((known) => known === preview.columns[column - 1]?.field)
    const isTaken = selected.includes(column) && value.length <= MAX_VALUE && !/[\t\r\n]/.test(value)
    return field !== undefined && isTaken ? [{ field, value: value.trim() }] : []
  })
}

/** A file with its label as a source: that of the recorded file, which may have had another name, or `sourceLabelOf`. */
export type NamedFile = { name: string; label: string }

export function sourceOf(preview: CsvPreview, row: CsvRow, { name, label }: NamedFile): RowSource {
  return {
    label,
    reference: sourceReference(name, row, preview.file.sha256),
    observation: observationOf(preview, row),
    place: `row ${row.row} of ${name}`,
  }
}

/** Separator of several tags in one cell, as exports of this product write them. */
const betweenTags = /\s*;\s*/

/**
 * Form values of the mapped columns, as written in the file. A cell with several values fills several fields. Line ends of a cell become spaces,
 * because the browser would delete a line end in a field. The contact person becomes the label of the email addresses and phones, and a person with the
 * role of the row.
 */
export function prefillOf(preview: CsvPreview, row: CsvRow, file: NamedFile, region: string | null): RowPrefill {
  const of = (field: string) =>
    preview.columns.flatMap((column) => (column.field === field ? textsOf(row, column.column) : []))
  const one = (field: string) => of(field)[0] ?? ''
  const label = of('contactPerson').join(' ')
  const person = label === '' ? null : { name: label, role: of('role').join(' ') }
  return {
    source: sourceOf(preview, row, file),
    doNotContact: row.doNotContact,
    said: row.said,
    note: notesOf(preview, row),
    person,
    page: thisPage,
    values: {
      ...Object.fromEntries(plainFacts.map((field) => [field, one(field)])),
      emails: of('email').map((value) => ({ value, label })),
      phones: of('phone').map((value) => ({ value, label, region: region ?? '' })),
      domains: of('domain').map((value) => ({ value })),
      address: Object.fromEntries(addressParts.map((part) => [part, one(`address.${part}`)])),
      tags: [...new Set(of('tag').flatMap((cell) => cell.split(betweenTags)))].filter((tag) => tag !== ''),
    },
  }
}

/** Values of all new prospects of a file. */
export type ForAll = { tags: string[]; assigneeId: string | null; followUpOn: string }

/** Adds the values of all rows. A follow-up that is no day, or before today, is left out, and its field shows why. */
export function withAll(prefill: RowPrefill, { tags, assigneeId, followUpOn }: ForAll, today: string): RowPrefill {
  const { tags: own } = prefill.values
  const all = [...(Array.isArray(own) ? own : []), ...tags]
  const day = dayFrom(followUpOn)
  return {
    ...prefill,
    ...(day !== null && day >= today && { followUpOn: day }),
    values: { ...prefill.values, tags: [...new Set(all)], assigneeId },
  }
}
