import { entryKey, type Scope } from '../../contact-gate/contact-gate.ts'
import {
  hasSeveralCells,
  type IdentifierKind,
  isUnprintable,
  type LinePart,
  likelyKind,
  normalizeIdentifier,
  partsOfLine,
  valuesIn,
} from '../../normalization/normalization.ts'
import { limits } from '../suppression.schema.ts'
import {
  type EntryValue,
  isRefused,
  type ReadEntry,
  type RefusedEntry,
  readEntry,
  severalAddresses,
  severalNumbers,
} from './entry.rules.ts'

export type LineSettings = { region: string | null; domainScope: Scope; acceptUnknownSuffix?: boolean }

/** The entry in a line with the text beside its value, or the reason why the line has no entry. */
export type PastedLine =
  | { entry: ReadEntry; ignored: string | null }
  | { refusal: RefusedEntry; kind: IdentifierKind | null }

const several: RefusedEntry = {
  code: 'several_values',
  message: 'This line has several values. Put each value on its own line.',
}

const severalOfAKind: ReadonlySet<string> = new Set([severalAddresses.code, severalNumbers.code])

/**
 * Reads one pasted line, such as a row of a spreadsheet, an address with a name or a number with a label. A line with one value gives its entry, and
 * the other text of the line is returned as ignored. A line with several values is refused, because nothing shows which of them is meant.
 */
export function readPastedLine(line: string, settings: LineSettings): PastedLine {
  if (isUnprintable(line)) return { refusal: unprintable, kind: null }
  const parts = partsOfLine(line, settings.region)
  const read = parts.map((part) => (part.kind === null ? null : readPart(part.text, part.kind, settings)))
  const entries = read.flatMap((one, index) =>
    one === null || isRefused(one) || !isMeant(one, parts) ? [] : [{ entry: one, index }],
  )
  const keys = new Set(entries.map(({ entry }) => entry.key))
  const [first] = entries
  if (keys.size > 1) return { refusal: several, kind: first?.entry.kind ?? null }
  if (first !== undefined) {
    const found = new Set(entries.map(({ index }) => index))
    const others = parts.filter((_, index) => !found.has(index))
    const hasOtherNumber = !hasSeveralCells(line) && isBesideNumber(first.entry, others)
    if (hasOtherNumber || hasOtherAddress(first.entry, textsOf(others)))
      return { refusal: several, kind: first.entry.kind }
    return { entry: first.entry, ignored: textOf(others) }
  }
  return readWhole(line, parts, read, settings)
}

/**
 * Reads a value whose kind is known, from a form or from a prospect. If the text has exactly one value of this kind beside other text, such as
 * `WhatsApp: 082 555 8834`, the entry is for that value, and the other text is returned as ignored.
 */
export function readTypedValue(typed: EntryValue): { entry: ReadEntry; ignored: string | null } | RefusedEntry {
  const parts = partsOfLine(typed.value, typed.region)
  const found = parts.flatMap((part) => {
    if (part.kind !== typed.kind || parts.length === 1) return []
    const read = readEntry({ ...typed, value: part.text })
    return isRefused(read) ? [] : [{ part, entry: read }]
  })
  const [first] = found
  if (first !== undefined && found.every(({ entry }) => entry.key === first.entry.key)) {
    const values = new Set(found.map(({ part }) => part))
    const others = parts.filter((part) => !values.has(part))
    if (typed.kind === 'email' && hasOtherAddress(first.entry, textsOf(others))) return severalAddresses
    if (isBesideNumber(first.entry, others)) return severalNumbers
    return { entry: first.entry, ignored: textOf(others) }
  }
  const whole = readEntry(typed)
  return isRefused(whole) ? whole : { entry: whole, ignored: null }
}

const MIN_DIGITS_OF_A_VALUE = 7

/**
 * Reads a value of a prospect. Nobody sees the ignored text of such a value, so a text that may contain another value is refused: an entry for one of
 * them would seem to cover both.
 */
export function readStoredValue(value: Omit<EntryValue, 'acceptUnknownSuffix'>): ReadEntry | RefusedEntry {
  // The value is in use by the prospect, so its ending needs no confirmation.
  const stored = { ...value, acceptUnknownSuffix: true }
  const read = readTypedValue(stored)
  if ('code' in read) return read
  const { entry, ignored } = read
  const whole = readEntry(stored)
  if (isRefused(whole) && severalOfAKind.has(whole.code)) return whole
  const digits = ignored?.match(/\p{Nd}/gu)?.length ?? 0
  if (digits < MIN_DIGITS_OF_A_VALUE && !hasOtherAddress(entry, [stored.value])) return entry
  return {
    code: 'several_values',
    message:
      'The text beside this value may contain another value. Edit the prospect, so that each value has its own field.',
  }
}

/** True if an entry for a phone is beside an unreadable number. It can lack its area code, as in `082 555 8834 or 555 1212`. */
function isBesideNumber(entry: ReadEntry, others: readonly LinePart[]): boolean {
  return entry.kind === 'phone' && others.some(({ kind }) => kind === 'phone')
}

/** True if a text contains an email address other than the entry, for example one that is spelled out. */
function hasOtherAddress(entry: ReadEntry, texts: readonly string[]): boolean {
  return texts.some((text) =>
    valuesIn(text).some(
      ({ kind, normalized }) => kind === 'email' && entryKey('email', normalized, 'exact') !== entry.key,
    ),
  )
}

const unprintable: RefusedEntry = {
  code: 'unprintable',
  message: 'This line contains characters that are not text. Copy the line again as plain text.',
}

function readPart(
  value: string,
  kind: IdentifierKind,
  { region, domainScope, acceptUnknownSuffix = false }: LineSettings,
) {
  if (value.length > limits.valueLength)
    return { code: 'too_long', message: `This value has more than ${limits.valueLength} characters.` }
  const scope = kind === 'domain' ? domainScope : 'exact'
  return readEntry({ kind, value, region, scope, acceptUnknownSuffix })
}

/** True unless a text beside another one only looks like a domain, as `n.a.` does. */
function isMeant({ kind, normalized }: ReadEntry, parts: readonly LinePart[]): boolean {
  return kind !== 'domain' || parts.length === 1 || normalizeIdentifier('domain', normalized).normalized !== null
}

/** Reads a line in which no part is an entry. The line as a whole can still be one, for example an address that is spelled out. */
function readWhole(
  line: string,
  parts: readonly LinePart[],
  read: readonly (ReadEntry | RefusedEntry | null)[],
  settings: LineSettings,
): PastedLine {
  const kind = likelyKind(line)
  const whole = hasSeveralCells(line) ? undefined : readPart(line, kind, settings)
  if (whole !== undefined && !isRefused(whole)) return { entry: whole, ignored: null }
  const at = read.findIndex((one) => one !== null)
  const refusal = read[at] ?? null
  if (refusal === null || !isRefused(refusal)) return { refusal: nothing, kind: null }
  return { refusal: severalOfAKind.has(refusal.code) ? several : refusal, kind: parts[at]?.kind ?? null }
}

const nothing: RefusedEntry = {
  code: 'no_value',
  message: 'This line has no email address, phone number or domain that can be read.',
}

function textOf(parts: readonly LinePart[]): string | null {
  return parts.length === 0 ? null : textsOf(parts).join(' · ')
}

function textsOf(parts: readonly LinePart[]): string[] {
  return parts.map(({ text }) => text)
}
