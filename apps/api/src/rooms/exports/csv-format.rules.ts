import { localMinute } from '../../lib/calendar.ts'
import { quotedCell } from '../../lib/csv-cell.ts'
import { withGuard } from '../../lib/formula-guard.ts'
import { phoneAsText } from '../normalization/normalization.ts'
import type { SpreadsheetLayout } from './exports.schema.ts'

/*
 * The two layouts of a CSV file. Both follow RFC 4180: UTF-8 with a byte order mark, every cell quoted, CRLF. Cells that a spreadsheet would evaluate
 * get a guard. A file for programs has commas, decimal points, times in UTC and values as they were typed. A file for a spreadsheet has the signs of
 * its country, local times, and cells that the spreadsheet does not change: a phone number would lose its leading zero or its sign.
 */

export type Cell = string | number | null

export type CsvFormat = {
  separator: ',' | ';'
  decimal: '.' | ','
  /** zone of the times; null for UTC */
  zone: string | null
  /** formats a text cell */
  text(value: string): string
  phone(value: string, region: string | null): string
  /** formats a time (RFC 3339, UTC) */
  time(at: string | null): string | null
}

const forPrograms: CsvFormat = {
  separator: ',',
  decimal: '.',
  zone: null,
  text: withGuard,
  phone: (value) => value,
  time: (at) => at,
}

/**
 * Matches a text that a spreadsheet would change because it reads a number: digits with a leading zero or a sign, more digits than a number holds,
 * or an exponent.
 */
const changedNumber = /^\s*(?:[+-][\d\s().,/-]*|0[\d\s().,/-]+|\d{12,}|\d+(?:[.,]\d+)?[eE][+-]?\d+)\s*$/

/** Names of months, in English and Afrikaans, that a spreadsheet reads beside a day or a year. */
const month = `(?:${[
  'jan(?:uary|uarie)?',
  'feb(?:ruary|ruarie)?',
  'mar(?:ch)?|mrt|maart',
  'apr(?:il)?',
  'may|mei',
  'june?|junie',
  'july?|julie',
  'aug(?:ust|ustus)?',
  'sept?(?:ember)?',
  'oct(?:ober)?|okt(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?|des(?:ember)?',
].join('|')})\\.?`
/** Matches a text that a spreadsheet changes into a date, a time or a fraction, such as `1-3`, `12/5`, `MAR1`, `9:30` or `1 1/2`. */
const changedDate = new RegExp(
  `^\\s*(?:${[
    '\\d{1,4}\\s*[-/]\\s*\\d{1,4}(?:\\s*[-/]\\s*\\d{1,4})?',
    '\\d{1,4}\\.\\d{1,2}\\.\\d{1,4}',
    `${month}[\\s/-]*\\d{1,4}(?:[\\s,/-]+\\d{2,4})?`,
    `\\d{1,4}[\\s/-]*${month}(?:[\\s,/-]*\\d{1,4})?`,
    '\\d{1,4}:\\d{1,2}(?::\\d{1,2})?(?:\\s*[ap]m?)?',
    '\\d{1,2}\\s*[ap]m|\\d{1,2}\\s+[ap]',
    '\\d+\\s+\\d+/\\d+',
  ].join('|')})\\s*$`,
  'i',
)
/** Matches a day or a minute as this layout writes them. A spreadsheet must read them as what they are. */
const ownTime = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?$/
const isChanged = (value: string) => changedNumber.test(value) || (changedDate.test(value) && !ownTime.test(value))

/** Returns the layout for the stored one; null is the layout for programs. */
export function csvFormat(layout: SpreadsheetLayout | null): CsvFormat {
  if (layout === null) return forPrograms
  const { timeZone } = layout
  const text = (value: string) => (isChanged(value) ? `'${value}` : withGuard(value))
  return {
    separator: layout.separator === 'semicolon' ? ';' : ',',
    decimal: layout.decimal === 'comma' ? ',' : '.',
    zone: timeZone,
    text,
    phone: (value, region) => phoneAsText(value, region) ?? value,
    time: (at) => (at === null ? null : localMinute(at, timeZone)),
  }
}

export function csvLine(cells: readonly Cell[], format: CsvFormat): string {
  return `${cells.map((cell) => csvCell(cell, format)).join(format.separator)}\r\n`
}

/** Start of a CSV file. Without it Excel decodes UTF-8 by the code page of its country and shows wrong characters for every accent. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Returns the start of a file with the names of its columns. */
export function csvHead(columns: readonly string[], format: CsvFormat): string {
  return `${BYTE_ORDER_MARK}${csvLine(columns, format)}`
}

/** Formats a cell. Numbers get no guard, because a number is not a formula, whatever its sign. */
function csvCell(cell: Cell, { decimal, text }: CsvFormat): string {
  if (cell === null) return '""'
  const shown = typeof cell === 'number' ? String(cell).replace('.', decimal) : text(cell)
  return quotedCell(shown)
}
