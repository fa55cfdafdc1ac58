import { localSecond } from '../../lib/calendar.ts'
import type { HeldRow } from '../../store/held-rows.ts'

/*
 * The two forms of the file of everything held. Both are written part by part, so that no file is held in memory.
 */

/** Heading of the file: its subject, its workspace and the time at which it was written. */
export type HeldHead = {
  writtenAt: string
  timeZone: string
  workspace: string
  about: string
  isSuppressed: boolean
  records: readonly { id: string; name: string; doNotContact: boolean }[]
  notes: readonly string[]
}

/** `words`: texts of the page in place of codes, by column and code. */
export type PartHead = {
  key: string
  title: string
  columns: Readonly<Record<string, string>>
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A row with the names of its columns that contain a suppressed value. */
export type MarkedRow = { row: HeldRow; suppressed: readonly string[] }

const camel = (name: string) =>
  name.replace(/_json$/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function jsonHead(head: HeldHead): string {
  const { writtenAt, timeZone, workspace, about, isSuppressed, records, notes } = head
  const shown = JSON.stringify({ version: 1, writtenAt, timeZone, workspace, about, isSuppressed, records, notes })
  return `${shown.slice(0, -1)},"parts":[`
}

export function jsonPart({ key, title }: PartHead, isFirst: boolean): string {
  const shown = JSON.stringify({ key, title })
  return `${isFirst ? '' : ','}\n${shown.slice(0, -1)},"items":[`
}

/** `suppressed` names the properties of the item with a value that is do not contact. */
export function jsonItem({ columns }: PartHead, { row, suppressed }: MarkedRow, isFirst: boolean): string {
  const item = Object.fromEntries(Object.keys(columns).map((name) => [camel(name), row[name] ?? null]))
  const marked = suppressed.length === 0 ? item : { ...item, suppressed: suppressed.map(camel) }
  return `${isFirst ? '' : ','}\n${JSON.stringify(marked)}`
}

export const jsonPartEnd = ']}'
/** `leftOut`: titles of parts that the role of the person does not include. */
export const jsonEnd = (leftOut: readonly string[]): string => `\n],"leftOut":${JSON.stringify(leftOut)}}\n`

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for an element or an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')
}

/** Control characters, and characters that are invisible or change the direction of the text around them. Tabs and line ends stay. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

const codePoint = (sign: string) => `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Returns a typed text as an element that cannot change the text around it. Characters that nobody can see are shown by their numbers. */
function htmlText(text: string): string {
  return `<bdi>${escapeHtml(text).replace(unseen, (sign) => `<i>${codePoint(sign)}</i>`)}</bdi>`
}

/** Returns a typed text for an element that contains only text, such as the title. */
function titleText(text: string): string {
  return escapeHtml(text.replace(unseen, (sign) => `[${codePoint(sign)}]`))
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #bbb}
dl{display:grid;grid-template-columns:minmax(9rem,14rem) 1fr;gap:.15rem 1rem;padding:.5rem 0;border-bottom:1px solid #ddd;margin:0}
dt{color:#555}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
i{font-style:normal;font-size:.8em;border:1px dotted #555;padding:0 .15rem}
strong.mark{border:1px solid #a40000;color:#a40000;padding:0 .3rem;font-size:.85rem}
@media (max-width:40rem){dl{grid-template-columns:7rem 1fr}}
@media print{body{margin:0}dl{break-inside:avoid}}`

/** The page loads nothing, runs nothing and sends nothing, also when it is opened from a disk. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
const MARK = '<strong class="mark">Do not contact</strong>'

export function htmlHead(head: HeldHead): string {
  const { workspace, about, writtenAt, timeZone, isSuppressed, records, notes } = head
  const listed = records.map(
    ({ name, id, doNotContact }) => `<li>${htmlText(name)} (${escapeHtml(id)})${doNotContact ? ` ${MARK}` : ''}</li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${titleText(`Everything held about ${about}`)}</title><style>${style}</style></head><body>
<h1>Everything held about ${htmlText(about)}${isSuppressed ? ` ${MARK}` : ''}</h1>
<p>Held by ${htmlText(workspace)}, written at ${escapeHtml(localSecond(writtenAt, timeZone))}. Times are in the time zone ${escapeHtml(timeZone)}.</p>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
<h2>Records</h2><ul>${listed.join('\n')}</ul>
`
}

export const htmlPart = ({ title }: PartHead): string => `<h2>${escapeHtml(title)}</h2>\n`
export const htmlEmptyPart = '<p>Nothing.</p>\n'

/** Returns a row as a list of labels and values. Columns without a value are left out. */
export function htmlItem({ columns, words = {} }: PartHead, { row, suppressed }: MarkedRow, timeZone: string): string {
  const lines = Object.entries(columns).flatMap(([name, label]) => {
    const value = row[name]
    const word = words[name]?.[String(value)]
    if (value === null || value === undefined || value === '') return []
    const mark = suppressed.includes(name) ? ` ${MARK}` : ''
    return [`<dt>${escapeHtml(label)}</dt><dd>${htmlText(word ?? textOf(value, timeZone))}${mark}</dd>`]
  })
  return `<dl>${lines.join('')}</dl>\n`
}

/** `leftOut`: titles of parts that the role of the person does not include. */
export function htmlEnd(leftOut: readonly string[]): string {
  const named =
    leftOut.length === 0
      ? ''
      : `<p>Left out, because the role of the person does not include it: ${escapeHtml(leftOut.join(', '))}.</p>\n`
  return `${named}</body></html>\n`
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

function textOf(value: unknown, timeZone: string): string {
  if (typeof value === 'string') return instant.test(value) ? localSecond(value, timeZone) : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value, null, 1)
}
