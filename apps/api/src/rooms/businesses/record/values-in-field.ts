import { type IdentifierKind, normalizeIdentifier, valuesIn } from '../../normalization/normalization.ts'

/* Contact values in one field with other text, or with other values. The form offers to take them; nothing is done automatically. Pure. */

/** One of several values in a field. `words`: the text beside it, such as a name, which becomes its label. */
export type Part = { value: string; words: string }

type Place = { from: number; to: number }

/** Characters between two cells or two values. A host stands between them together with its scheme and path. */
const betweenValues = /[\s;,|]/
/** A sign or a word between two values. What stands before it belongs to the first value, what stands after it to the second. */
const divider = /[;,|/&\t\r\n]|(?<![\p{L}\p{N}])(?:and|en|of|or)(?![\p{L}\p{N}])/iu
const outerSigns = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu

/** Returns the values of this kind in a field if there are several, each with its words; otherwise an empty list. */
export function severalIn(kind: IdentifierKind, typed: string, region: string | null): Part[] {
  const places = placesOf(kind, typed, region)
  if (places.length < 2) return []
  const gaps = [0, ...places.map(({ to }) => to)].map((from, index) => typed.slice(from, places[index]?.from))
  const divided = gaps.map((gap, index): [after: string, before: string] => {
    if (index === 0) return ['', gap]
    const sign = index === places.length ? null : divider.exec(gap)
    if (sign !== null) return [gap.slice(0, sign.index), gap.slice(sign.index + sign[0].length)]
    return index === places.length ? [gap, ''] : ['', gap]
  })
  return places.map(({ from, to }, index) => {
    const words = [divided[index]?.[1] ?? '', divided[index + 1]?.[0] ?? ''].map((text) => text.replace(outerSigns, ''))
    return { value: typed.slice(from, to), words: words.filter((text) => text !== '').join(' ') }
  })
}

/**
 * Returns the text of the only value of this kind in a field with other text beside it, such as the address in
 * `victim@kappertjie.co.za unsubscribed`. Null if there is none, or more than one.
 */
export function onlyValueIn(kind: IdentifierKind, typed: string, region: string | null): string | null {
  const [place] = placesOf(kind, typed, region)
  // A series such as `011 555 0123/4` is two numbers, whose places overlap.
  const found = new Set(valuesIn(typed, { region }).flatMap((one) => (one.kind === kind ? [one.normalized] : [])))
  if (place === undefined || found.size > 1) return null
  const value = typed.slice(place.from, place.to)
  return value === typed.trim() ? null : value
}

/** Returns the places of the values that do not overlap, from left to right, the longest first. */
function placesOf(kind: IdentifierKind, typed: string, region: string | null): Place[] {
  const places: Place[] = []
  for (const found of valuesIn(typed, { region })) {
    const place = kind === 'domain' ? wholeAddress(typed, found) : found
    const isFree = place.from >= (places.at(-1)?.to ?? 0)
    if (found.kind === kind && isFree && isValue(kind, typed.slice(place.from, place.to), region)) places.push(place)
  }
  return places
}

/** A local number is a value only with a country. */
function isValue(kind: IdentifierKind, text: string, region: string | null): boolean {
  return normalizeIdentifier(kind, text, region).normalized !== null
}

/** Returns the place of a host with its scheme and path. */
function wholeAddress(typed: string, { from, to }: Place): Place {
  let [start, end] = [from, to]
  while (start > 0 && !betweenValues.test(typed.charAt(start - 1))) start -= 1
  while (end < typed.length && !betweenValues.test(typed.charAt(end))) end += 1
  return { from: start, to: end }
}
