import { readFileSync } from 'node:fs'
import { type CheckSuppressionsData, checkSuppressions, connect } from '@prospect/api-client'
import { parse } from 'csv-parse/sync'

/*
 * Checks a column of a CSV file against the do-not-contact list, and writes the file with a further column to standard output.
 *
 *   node check-column.ts <file.csv> <column> <email|phone|domain> [country of local numbers] > checked.csv
 *
 * The token needs the permission "See suppression entries". Values are sent to your own service only, which stores none of them.
 */

/** Maximum number of values in one request. */
const VALUES_PER_REQUEST = 100
/** Longest value that the service reads. A longer cell contains no address. */
const MAX_LENGTH = 320
const RESULT = 'Do not contact'

type Value = CheckSuppressionsData['body']['values'][number]
const isKind = (text: string | undefined): text is Value['kind'] =>
  text === 'email' || text === 'phone' || text === 'domain'

const [file, column, kind, region = null] = process.argv.slice(2)
if (file === undefined || column === undefined || !isKind(kind)) {
  console.error('Usage: node check-column.ts <file.csv> <column> <email|phone|domain> [country]')
  process.exit(2)
}
connect({ baseUrl: process.env.PROSPECT_URL ?? 'http://localhost:8080', token: process.env.PROSPECT_TOKEN })

const rows: string[][] = parse(readFileSync(file), { bom: true, relax_column_count: true, skip_empty_lines: true })
const [heading = [], ...body] = rows
const place = heading.indexOf(column)
if (place === -1) {
  console.error(`There is no column "${column}". The file has: ${heading.join(', ')}.`)
  process.exit(2)
}

const cells = body.map((row) => (row[place] ?? '').trim())
const readable = [...new Set(cells)].filter(
  (cell) => cell !== '' && cell.length <= MAX_LENGTH && !/[\p{Cc}]/u.test(cell),
)
const blocked = new Map<string, boolean>()
for (let at = 0; at < readable.length; at += VALUES_PER_REQUEST) {
  const part = readable.slice(at, at + VALUES_PER_REQUEST)
  const { data, error } = await checkSuppressions({ body: { values: part.map((value) => ({ kind, value, region })) } })
  // Without an answer nothing is written: a missing answer must never look like "may be contacted".
  if (error !== undefined) throw new Error(error.detail)
  for (const [place, value] of part.entries()) blocked.set(value, data.items[place]?.suppressed ?? true)
}

const answerFor = (cell: string) => (cell === '' ? '' : (blocked.get(cell) ?? true) ? 'yes' : 'no')
const lines = [[...heading, RESULT], ...body.map((row, at) => [...row, answerFor(cells[at] ?? '')])]
process.stdout.write(lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join(''))

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
