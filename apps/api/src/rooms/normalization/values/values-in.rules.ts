import type { IdentifierKind } from '../identifier-reading.ts'
import type { FoundValue, ReadAs, Spotted } from './found-value.ts'
import { hostsInText } from './hosts-in-text.rules.ts'
import { mailboxesInText } from './mailboxes.rules.ts'
import { numbersInText } from './numbers.rules.ts'
import { type PlacedText, placeOf, unescapedForm, unquotedForm, visibleForm } from './placed-text.rules.ts'
import { runAfter, runBefore } from './signs.rules.ts'

/** Where a text comes from. */
export type ValueContext = {
  /** the country of phone numbers in local form; South Africa if it is null or missing */
  region?: string | null
  /** true: hosts whose suffix is not in the list are included; only suppression asks for them */
  anySuffix?: boolean
}

/** Maximum number of escapes within escapes that are read, as in `%2540`. */
const MOST_ESCAPES = 3

/**
 * Returns every email address, phone number and host that a person could read in a text: a field, a cell, a line, a page, a URL, a draft or a prompt.
 *
 * Numbers: every window of neighbouring digit groups whose digits are a possible number of the country, or of any country behind `+` or `00`. Anything
 * that is no letter can separate the groups. Extensions are left out. Addresses: the longest run of allowed characters on both sides of an `@`, or of a
 * form in which it is written out. Hosts: also in the path, the query, the fragment and the user of a URL. Nothing is joined over a tab or another
 * control character.
 *
 * The results are sorted by their place, the longest first. They can overlap, because a text can have several readings. Pure; never throws; the time is
 * linear in the length of the text (specification, Phase 6 §1–3; Global rule 5).
 */
export function valuesIn(text: string, context: ValueContext = {}): FoundValue[] {
  const visible = visibleForm(text)
  const found = new Findings()
  found.add(readersOf(visible.text, context), (from, to) => placeOf(visible, from, to))
  readLineEnds(visible, context, found)
  const unquoted = unquotedForm(visible.text)
  // Digits have no escapes there, and the digits behind an equals sign can be the beginning of a number.
  if (unquoted.pieces.length > 0) readDecoded([visible, unquoted], context, found, ({ kind }) => kind !== 'phone')
  const forms = [visible]
  for (let count = 0; count < MOST_ESCAPES; count++) {
    const decoded = unescapedForm((forms.at(-1) as PlacedText).text)
    if (decoded.pieces.length === 0) break
    forms.push(decoded)
    readDecoded(forms, context, found)
  }
  return found.sorted()
}

type Read = Spotted & { kind: IdentifierKind }

/** Returns the values that the readers of each kind find in a text in visible form. */
function readersOf(text: string, { region = null, anySuffix = false }: ValueContext): Read[] {
  const { addresses, hostsFrom, namesTo } = mailboxesInText(text)
  const hosts = hostsInText(text, {
    anySuffix,
    isPartOfAddress: (from, to) => hostsFrom.has(from) || namesTo.has(to),
  })
  const kind = (kind: IdentifierKind) => (spotted: Spotted) => ({ kind, ...spotted })
  return [
    ...addresses.map(kind('email')),
    ...numbersInText(text, region).map(kind('phone')),
    ...hosts.map(kind('domain')),
  ]
}

/** Reads the last of several forms of a text. Each of them is a form of the one before. */
function readDecoded(
  forms: readonly PlacedText[],
  context: ValueContext,
  found: Findings,
  isWanted: (read: Read) => boolean = () => true,
): void {
  const decoded = visibleForm((forms.at(-1) as PlacedText).text)
  const all = [...forms, decoded].reverse()
  const read = readersOf(decoded.text, context)
    .filter(isWanted)
    .map((one): Read => ({ ...one, read: 'decoded' }))
  found.add(read, (from, to) => all.reduce((place, form) => placeOf(form, place.from, place.to), { from, to }))
}

/** Maximum number of characters on each side of a line end that can belong to one address or host. */
const LONGEST_HALF = 100
const lineEnds = /(?<=[^\s])(?:\r\n|[\n\r\u2028\u2029])(?=[^\s])/g

function isNoSpace(text: string, index: number): boolean {
  return !/\s/.test(text.charAt(index))
}

/** Reads addresses and hosts that a line end divides, as in `jan@ka` and `roo.co.za`. Two texts that are values themselves are not joined. */
function readLineEnds(visible: PlacedText, context: ValueContext, found: Findings): void {
  const { text } = visible
  for (const { 0: end, index } of text.matchAll(lineEnds)) {
    const next = index + end.length
    const before = text.slice(runBefore(text, index, isNoSpace, LONGEST_HALF), index)
    const after = text.slice(next, runAfter(text, next, isNoSpace, LONGEST_HALF))
    if (!/[@.]/.test(before) && !/[@.]/.test(after)) continue
    const read = readersOf(before + after, { ...context, anySuffix: false }).filter(
      ({ kind, from, to }) => kind !== 'phone' && from < before.length && to > before.length,
    )
    if (read.length === 0 || (isValue(before, context) && isValue(after, context))) continue
    const start = index - before.length
    const shift = (place: number) => start + place + (place >= before.length ? end.length : 0)
    found.add(
      read.map((one) => ({ ...one, read: 'joined' })),
      (from, to) => placeOf(visible, shift(from), shift(to - 1) + 1),
    )
  }
}

function isValue(text: string, context: ValueContext): boolean {
  return readersOf(text, context).some(({ kind }) => kind !== 'phone')
}

const order: Readonly<Record<ReadAs, number>> = { plain: 0, obfuscated: 1, decoded: 2, joined: 3 }

/** Collects values. Of several readings of one value at one place, the one that needs the least is kept. */
class Findings {
  readonly #found = new Map<string, FoundValue>()

  add(values: readonly Read[], place: (from: number, to: number) => { from: number; to: number }): void {
    for (const { kind, normalized, read, ...at } of values) {
      const { from, to } = place(at.from, at.to)
      const key = `${from} ${kind} ${normalized}`
      const known = this.#found.get(key)
      const easier = known !== undefined && order[known.read] <= order[read] ? known.read : read
      this.#found.set(key, { kind, normalized, from, to: Math.max(to, known?.to ?? 0), read: easier })
    }
  }

  sorted(): FoundValue[] {
    return withoutShorter([...this.#found.values()].sort((a, b) => a.from - b.from || b.to - a.to))
  }
}

/** Leaves out the readings of a value within a longer one of the same value, as of the local form within `+27 82 …`. */
function withoutShorter(values: readonly FoundValue[]): FoundValue[] {
  const ends = new Map<string, number>()
  return values.filter(({ kind, normalized, to }) => {
    const key = `${kind} ${normalized}`
    if (to <= (ends.get(key) ?? 0)) return false
    ends.set(key, to)
    return true
  })
}
