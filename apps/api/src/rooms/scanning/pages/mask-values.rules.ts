import { addressSignsIn, valuesIn, wordsWithSign } from '../../normalization/normalization.ts'
import { isUnder } from './page-urls.rules.ts'

const MASK = '•••'

/** Matches seven digits or more, such as those of a registration number or of a local number without its area. */
const longNumber = /(?:\+|\()?\p{Nd}(?:[\s().\-/\u2010-\u2015]*\p{Nd}){6,}/gu
/** Matches a character between two words. */
const betweenWords = /[\s,;|()<>[\]{}]/u

type Place = { from: number; to: number }

/**
 * Masks contact values in a text: email addresses, phone numbers, hosts outside `domains`, and numbers of seven digits or more. A value is masked as a
 * whole: of digit groups that have several readings, no group is left. If a value is still recognised afterwards, the whole text is dropped.
 */
export function maskContactValues(text: string, domains: readonly string[]): string {
  const { before, behind } = maskAround(text, { from: text.length, to: text.length }, domains)
  return before + behind
}

/** Masks the contact values before and behind one place in a text, which stays. A value that reaches into the place is masked outside of it. */
export function maskAround(
  text: string,
  { from, to }: Place,
  domains: readonly string[],
): { before: string; behind: string } {
  const places = placesIn(text, domains)
  return {
    before: masked(text, { from: 0, to: from }, places, domains),
    behind: masked(text, { from: to, to: text.length }, places, domains),
  }
}

/** Returns the places of contact values, in their order and without overlaps. */
function placesIn(text: string, domains: readonly string[]): Place[] {
  const read: Place[] = valuesIn(text).filter(
    ({ kind, normalized }) => kind !== 'domain' || !isUnder(normalized, domains),
  )
  const isRead = (at: number) => read.some(({ from, to }) => from <= at && at < to)
  const unread = wordsWithSign(text, betweenWords).filter(({ from, to }) =>
    addressSignsIn(text.slice(from, to)).some((at) => !isRead(from + at)),
  )
  const numbers = [...text.matchAll(longNumber)].map(({ 0: digits, index }) => ({
    from: index,
    to: index + digits.length,
  }))
  const found = [...read, ...unread, ...numbers]
  const places: Place[] = []
  for (const { from, to } of found.toSorted((a, b) => a.from - b.from)) {
    const last = places.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else places.push({ from, to })
  }
  return places
}

function masked(text: string, part: Place, places: readonly Place[], domains: readonly string[]): string {
  let shown = ''
  let at = part.from
  for (const place of places) {
    const from = Math.max(place.from, part.from)
    const to = Math.min(place.to, part.to)
    if (from >= to) continue
    shown += text.slice(at, from) + MASK
    at = to
  }
  shown += text.slice(at, part.to)
  return placesIn(shown, domains).length > 0 ? MASK : shown
}
