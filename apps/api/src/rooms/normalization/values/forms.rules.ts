import { hasKnownSuffix, isReservedHost } from '../domain-parts.rules.ts'
import type { IdentifierKind } from '../identifier-reading.ts'
import { withAsciiDigits } from '../text-folding.rules.ts'
import { visibleText } from './placed-text.rules.ts'
import { runAfter, runBefore } from './signs.rules.ts'

/* Pure rules about the form of a value that a person typed or that a reader found. */

/** True if a normalized address or host ends in a suffix of the list, or in one that is reserved for documentation. */
export function hasKnownEnding(normalized: string): boolean {
  const host = hostOfAddress(normalized)
  return hasKnownSuffix(host) || isReservedHost(host)
}

/** Returns the host of a normalized address, or the value itself if it is a host. */
export function hostOfAddress(normalized: string): string {
  return normalized.slice(normalized.lastIndexOf('@') + 1)
}

/** Returns the name of a normalized address: the part before its host. */
export function nameOfAddress(normalized: string): string {
  return normalized.slice(0, Math.max(0, normalized.lastIndexOf('@')))
}

/** Returns the sign with which a normalized address begins, if it begins with a sign. */
export function leadingSign(address: string): string | undefined {
  return /^[^\p{L}\p{N}]/u.exec(address)?.[0]
}

/** True if a number is written without its country: not behind a plus or 00, and not as `27 82 …`. */
export function isLocalForm(number: string): boolean {
  return !/\+|^00|^(?:09?)?270?[1-9]\d{8}$/.test(withAsciiDigits(number).replace(/[^\d+]/g, ''))
}

/** True for a number that a spreadsheet shortened to its first digits, as in `2.78E+10`. */
export function isShortened(text: string): boolean {
  const [, digits, power] = /^\D*\d(?:[.,](\d*))?E\+?(\d{1,2})\s*$/i.exec(text) ?? []
  return power !== undefined && (digits ?? '').length < Number(power)
}

/** Returns the kind of value that a typed text is most likely: email if it contains an `@`, phone if it consists of digits, otherwise domain. */
export function likelyKind(line: string): IdentifierKind {
  const text = visibleText(line)
  if (text.includes('@') || /[[({]\s*at\s*[\])}]/i.test(text)) return 'email'
  return /^[\s\d()+\-./]{7,}$/.test(text) || /^tel:/i.test(text) ? 'phone' : 'domain'
}

/** Returns the places of all `@` in a text, also of those of full width. An address may be there although none can be read. */
export function addressSignsIn(text: string): number[] {
  return [...text.matchAll(/[@＠]/g)].map(({ index }) => index)
}

/** Returns the words with an `@`, each of which may be an address although none can be read. `delimiter`: matches a character between two words. */
export function wordsWithSign(text: string, delimiter: RegExp): { from: number; to: number }[] {
  const isInWord = (_: string, index: number) => !delimiter.test(text.charAt(index))
  const words: { from: number; to: number }[] = []
  for (const at of addressSignsIn(text)) {
    if (at < (words.at(-1)?.to ?? 0)) continue
    const from = runBefore(text, at, isInWord, text.length)
    words.push({ from, to: runAfter(text, at, isInWord, text.length) })
  }
  return words
}
