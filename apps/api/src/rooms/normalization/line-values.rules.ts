import type { IdentifierKind } from './identifier-reading.ts'
import { isShortened } from './values/forms.rules.ts'
import type { FoundValue } from './values/found-value.ts'
import { valuesIn } from './values/values-in.rules.ts'

/*
 * Pure rules that find the values in a line that a person pasted: a row of a spreadsheet, an address with a name, a number with a label. They only
 * locate the texts; the rules of each kind then read them and may refuse them. Nothing is joined over the end of a cell.
 */

/** A part of a line. `kind` is null for a text that does not look like a value. */
export type LinePart = { kind: IdentifierKind | null; text: string }

/** Matches the characters that end a cell or a line: tab, vertical tab, form feed and every line end. */
const betweenCells = /[\t\v\f\r\n\u0085\u2028\u2029]+/

/** Matches a control character that separates nothing in a text. NUL, for example, occurs when a file is read in the wrong encoding. */
const unprintable = /[^\P{Cc}\t\v\f\r\n\u0085]/u

const MIN_DIGITS_OF_A_PHONE = 7

/** Matches digits with the punctuation of phone numbers. It excludes digits within a word, an address or a URL. */
const number =
  /(?<![\p{L}\p{Nd}@._=/-])[+\uff0b(]*\p{Nd}[\p{Nd}\s().\u00b7\u2022/\u2010-\u2015\u2212\uff0d\p{Default_Ignorable_Code_Point}-]*\p{Nd}(?!\p{Nd}|\.\p{L})/gu

/** Matches a date, with its time if there is one, as in `2026-11-28` and `28/11/2026 08:30`. Its digits are no part of a phone number. */
const date =
  /(?<![\p{L}\p{Nd}+./-])(?:(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)\d\d)(?!\d|[-/.]\d)(?:[T ,]+\d{1,2}:\d\d(?::\d\d)?(?!\d))?/gu

/** Matches a number as a spreadsheet shortens it, as in `2.78E+10`. Its first digits alone would be another number. */
const exponent = /(?<![\p{L}\p{Nd}.,])\d(?:[.,]\d{1,14})?E\+?\d{1,2}(?![\p{L}\p{Nd}])/gu
const unreadNumber = new RegExp(`${exponent.source}|${number.source}`, 'gu')

/** True for a line with characters that cannot be part of a text, such as NUL. */
export function isUnprintable(line: string): boolean {
  return unprintable.test(line)
}

/** True if the line consists of several cells or lines. */
export function hasSeveralCells(line: string): boolean {
  return betweenCells.test(line.trim())
}

/**
 * Divides a line into parts, in their order: texts that look like an email address, a phone or a domain, and the other texts. A domain counts only if
 * a cell, or a part between `;`, `,` and `|`, consists of it, because sentences name hosts that are not meant.
 */
export function partsOfLine(line: string, region: string | null = null): LinePart[] {
  return line.split(betweenCells).flatMap((cell) => partsOfText(unquoted(cell.trim()), region))
}

/** Returns the content of a cell that a spreadsheet put in quotation marks. */
function unquoted(cell: string): string {
  return /^"(.*)"$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell
}

/** Matches a sign before digits that belong to a word, an address or a URL, and a letter, the rest of a host or an exponent behind them. */
const withinWord = /[\p{L}\p{N}@._=/-]$/u
const beforeWord = /^(?:\p{N}|\.\p{L}|E\+?\d)/iu

function partsOfText(cell: string, region: string | null): LinePart[] {
  // Nothing is joined over the end of a line, which ends a cell.
  const found = valuesIn(cell, { region, anySuffix: true }).filter(({ read }) => read !== 'joined')
  const spans = spansOf(cell, found)
  if (spans.length === 0 && /[@＠]/u.test(cell) && !atDomain.test(cell)) return [{ kind: 'email', text: cell }]
  const parts: LinePart[] = []
  let end = 0
  for (const { kind, from, to } of spans) {
    parts.push({ kind: null, text: cell.slice(end, from) }, { kind, text: cell.slice(from, to) })
    end = to
  }
  return [...parts, { kind: null, text: cell.slice(end) }]
    .flatMap((part) => (part.kind === null ? unreadNumbersOf(part.text) : [part]))
    .flatMap((part) => (part.kind === null ? domainsIn(part.text) : [part]))
}

type Span = { kind: IdentifierKind; from: number; to: number }

/** Returns the parts of a cell that are addresses or numbers. Overlapping readings are one part, which the rules of its kind then read. */
function spansOf(cell: string, found: readonly FoundValue[]): Span[] {
  const spans: Span[] = []
  for (const one of found) {
    const { kind, from, to } = one
    const last = spans.at(-1)
    if (kind === 'domain' || (kind === 'email' ? isSentence(cell, one) : !isNumberAlone(cell, from, to))) continue
    if (last === undefined || from >= last.to)
      spans.push({ kind, from: kind === 'email' ? startOfLink(cell, from, last?.to ?? 0) : from, to })
    else if (last.kind === kind) last.to = Math.max(last.to, to)
  }
  return spans
}

/** True if an address with the word "at" can be a part of a sentence, as in `meet us at karoo.co.za`. */
function isSentence(cell: string, { from, to, read }: FoundValue): boolean {
  const text = cell.slice(from, to)
  return read === 'obfuscated' && !/[@＠[({<]| (?:dot|punt) /iu.test(text) && text !== cell
}

function isNumberAlone(cell: string, from: number, to: number): boolean {
  return !withinWord.test(cell.slice(0, from)) && !beforeWord.test(cell.slice(to)) && !isShortened(cell.slice(from, to))
}

/** Returns the start of the link or of the setting in which an address is, or of a text with another `@` before it. `after`: the part before it. */
function startOfLink(cell: string, from: number, after: number): number {
  const before = cell.slice(after, from)
  const link = /[=?&#@＠/]$/u.test(before) ? (/\S+$/.exec(before)?.[0] ?? '') : ''
  return /[\p{L}\p{N}]/u.test(link) ? from - link.length : from
}

/** Matches a host with an `@` before it, which lists of opt-outs use for everybody at a domain. */
const atDomain = /^[@＠][^\s@＠]+$/u

/** Cuts the texts out of a text that look like a phone number but cannot be read. Dates are masked by characters that no number contains. */
function unreadNumbersOf(text: string): LinePart[] {
  const masked = text.replace(date, (match) => '_'.repeat(match.length))
  const parts: LinePart[] = []
  let end = 0
  for (const { 0: match, index } of masked.matchAll(unreadNumber)) {
    const value = isShortened(match) ? match : phoneText(match)
    if (value === '') continue
    const start = index + match.indexOf(value)
    parts.push({ kind: null, text: text.slice(end, start) }, { kind: 'phone', text: value })
    end = start + value.length
  }
  return [...parts, { kind: null, text: text.slice(end) }]
}

/** Returns the number in a match, without an opening bracket that is not closed. Returns an empty string for too few digits. */
function phoneText(match: string): string {
  const open = match.lastIndexOf('(')
  const closed = open > 0 && !match.includes(')', open) ? match.slice(0, open).trimEnd() : match
  return digitsIn(closed) < MIN_DIGITS_OF_A_PHONE ? '' : closed
}

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0

function domainsIn(text: string): LinePart[] {
  return text.split(/[;,|]/).flatMap((part): LinePart[] => {
    const [, label = '', word = '', remark = ''] = labelled.exec(part) ?? []
    const host = atDomain.test(word) ? word.slice(1) : word
    if (!looksLikeHost.test(host)) return restOf(part)
    return [...restOf(label), { kind: 'domain', text: host }, ...restOf(remark)]
  })
}

/** Matches one word, alone, behind a label such as `Website:`, or before a remark in brackets. */
const labelled = /^\s*(?:(\p{L}[\p{L} -]{0,19}):\s+)?(\S+)(?:\s+(\([^()]*\)))?\s*$/u
/** Matches a dot before a letter. A number such as `8.2555E+08` has none. */
const looksLikeHost = /[.。．]\p{L}/u

function restOf(text: string): LinePart[] {
  const rest = withoutMarks(text)
  return rest === '' ? [] : [{ kind: null, text: rest }]
}

const schemes = /^(?:mailto|tel|callto|sms)$/i

/** Returns a text without the separators around it. Returns an empty string for the scheme of a link, and for punctuation alone. */
function withoutMarks(text: string): string {
  const bare = text.replace(/^[\s<>,;:|/\\-]+|[\s<>,;:|/\\-]+$/g, '')
  return schemes.test(bare) || !/[\p{L}\p{N}]/u.test(bare) ? '' : bare
}
