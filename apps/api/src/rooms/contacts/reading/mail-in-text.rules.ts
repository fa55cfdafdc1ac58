import {
  addressSignsIn,
  type FoundValue,
  hasKnownSuffix,
  hostOfAddress,
  nameOfAddress,
  normalizeIdentifier,
  valuesIn,
  withoutUnseen,
  wordsWithSign,
} from '../../normalization/normalization.ts'
import type { Syntax } from '../contacts.table.ts'
import type { ExcludedRule } from './found-values.ts'
import {
  fileExtensions,
  gluedLabel,
  hashLocal,
  placeholderDomain,
  placeholderLocal,
  reservedDomain,
  templateDomain,
  trackingDomain,
  trackingLocal,
} from './value-words.data.ts'

/*
 * Decides which addresses of a line of text, as a browser shows it, may be kept. `valuesIn` finds them, in every spelling that a person could read.
 * Here an address must be the whole run of characters around its `@`, or have one of a few written-out forms. A run with further characters that
 * could belong to the address is discarded and never shortened. The functions are pure, and linear in the length of the text.
 */

export type MailReading = {
  value: string
  normalized: string
  syntax: Syntax
  /** true if one word has letters of several scripts and can therefore look like another address */
  isConfusable: boolean
}
export type MailInText = { from: number; to: number; isWrittenOut: boolean } & (
  | { reading: MailReading; excluded: null }
  | { reading: null; excluded: ExcludedRule }
)

/** Longest run that is read. An address has at most 254 characters. */
const MAX_RUN = 320
const MAX_ADDRESS = 254
const MAX_LOCAL = 64

const delimiter = /[\s<>()[\]{}",;:|\\“”„«»‹›…、，；：·•→←]/u

/** Returns all addresses, and texts that resemble an address, in order. `found`: the values in the text. */
export function mailsInText(text: string, found: readonly FoundValue[] = valuesIn(text)): MailInText[] {
  const addresses = found.filter(({ kind }) => kind === 'email')
  let next = 0
  const shown = wordsWithSign(text, delimiter).flatMap((word) => {
    const first = next
    while ((addresses[next]?.from ?? text.length) < word.to) next += 1
    return readRun(text, word, addresses.slice(first, next)) ?? []
  })
  return [...shown, ...writtenOutIn(text, addresses)].toSorted((a, b) => a.from - b.from)
}

type Place = { from: number; to: number }

/** Reads the run around one `@`. Undefined if the sign stands alone: `open @ 8`. */
function readRun(
  text: string,
  { from: start, to: end }: Place,
  addresses: readonly FoundValue[],
): MailInText | undefined {
  let [from, to] = [start, end]
  if (to - from >= MAX_RUN) return { from, to, isWrittenOut: false, reading: null, excluded: 'unclear' }
  while (to > from && /[.!?\-\u2010-\u2015]/.test(text.charAt(to - 1))) to -= 1
  if (/['‘]/.test(text.charAt(from)) && /['’]/.test(text.charAt(to - 1))) {
    from += 1
    to -= 1
  }
  const run = text.slice(from, to)
  if (run.length <= 1) return undefined
  const place = { from, to, isWrittenOut: false }
  const excluded = (rule: ExcludedRule): MailInText => ({ ...place, reading: null, excluded: rule })
  if (/[{}%]/.test(text.charAt(start - 1) + text.charAt(end)) || /[{}%$]/.test(run))
    return excluded('template_leftover')
  if (/^\/\/|:\/\//.test(run) || isBehindScheme(text, from)) return excluded('url_user')
  const signs = addressSignsIn(run)
  if (signs[0] === 0)
    return excluded(/^.[\w.-]+\/[\w.-]+$/.test(run.slice(0, signs[1] ?? 0)) ? 'package_name' : 'handle')
  const isGlued = /[‘’]/.test(run) || (/^\d/.test(run) && /\d[\s().-]*$/.test(text.slice(Math.max(0, from - 8), from)))
  if (isGlued || signs.length !== 1) return excluded('unclear')
  if (text.charAt(end) === ':' && end === to && /[\p{L}\p{N}/]/u.test(text.charAt(end + 1))) return excluded('url_user')
  const answer = readAddress(run.replace('＠', '@'))
  if (typeof answer === 'string') return excluded(answer)
  const isFound = addresses.some((one) => one.from >= from && one.normalized === answer.normalized)
  return isFound ? { ...place, reading: { ...answer, value: run }, excluded: null } : excluded('unclear')
}

/** True if a URL scheme, such as `git+ssh://`, precedes the run without a space between them. */
function isBehindScheme(text: string, from: number): boolean {
  return /[a-z+]:\/{2}[^\s]*$/i.test(text.slice(Math.max(0, from - MAX_LOCAL), from))
}

/** Reads a text that should be exactly one address, or returns the reason why it is not. */
export function readAddress(address: string): MailReading | ExcludedRule {
  const shown = withoutUnseen(address)
  const local = nameOfAddress(shown)
  const host = hostOfAddress(shown).toLowerCase()
  const resembles = resembled(local.toLowerCase(), host)
  if (resembles !== undefined) return resembles
  const { normalized } = normalizeIdentifier('email', shown)
  if (normalized === null || gluedLabel.test(local)) return 'unclear'
  if (!hasKnownSuffix(hostOfAddress(normalized))) return 'unclear'
  return {
    value: address,
    normalized,
    syntax: syntaxOf(local, host),
    isConfusable: isMixed(local) || host.split('.').some(isMixed),
  }
}

/** Returns the kind of another text with an `@` that this text resembles. */
function resembled(local: string, host: string): ExcludedRule | undefined {
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  if (/^\d+(?:\.\d+)?x(?:\.|$)/.test(host) || (labels.length > 1 && fileExtensions.has(last))) return 'file_name'
  if (/^v?\d+(?:\.\d+)*(?:[.+-][\w.+-]*)?$/.test(host) || /^(?:latest|next|beta)(?:\/|$)/.test(host))
    return 'package_name'
  if (/[/?=&#]/.test(`${local}${host}`)) return /\//.test(local) ? 'url_user' : 'unclear'
  if (reservedDomain.test(host)) return 'reserved_domain'
  if (labels.length < 2) return 'handle'
  if (templateDomain.test(host)) return 'template_leftover'
  if (trackingLocal.test(local) || hashLocal.test(local) || trackingDomain.test(host)) return 'tracking'
  return placeholderLocal.test(local) || placeholderDomain.test(host) ? 'placeholder' : undefined
}

/** Returns `invalid` for an address that RFC 5321 forbids, and `unusual` for an allowed but rare form, which a person should check twice. */
export function syntaxOf(local: string, host: string): Syntax {
  const labels = host.split('.')
  const isAllowed =
    local.length > 0 &&
    local.length <= MAX_LOCAL &&
    local.length + host.length < MAX_ADDRESS &&
    !/^\.|\.\.|\.$/.test(local) &&
    /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u.test(local) &&
    labels.length > 1 &&
    labels.every((label) => /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u.test(label))
  if (!isAllowed) return 'invalid'
  const isUsual =
    /^[a-z\d](?:[a-z\d._+-]*[a-z\d])?$/i.test(local) && /^[a-z\d.-]+$/i.test(host) && !/(?:^|\.)xn--/.test(host)
  return isUsual ? 'valid' : 'unusual'
}

/** True if a text has Latin letters and letters of a script with similar letters. */
function isMixed(text: string): boolean {
  return /\p{Script=Latin}/u.test(text) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(text)
}

const localPart = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}._+-]{0,62}[\p{L}\p{N}])?`
const bracketedAt = String.raw`\s?[\[({<]\s?(?:at|@|by|\(at\))\s?[\])}>]\s?`
const dotSign = String.raw`(?:\s?[\[({<]\s?(?:dot|\.|punt)\s?[\])}>]\s?|\.)`
const spelledDot = String.raw`\s(?:dot|punt)\s`
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`
/** Match the written-out forms that may be kept. A person could read further ones, but a sentence can have them too. */
const writtenForms = [
  `${localPart}${bracketedAt}${label}(?:${dotSign}${label}){1,5}`,
  `${localPart}\\s(?:at|by)\\s${label}(?:${spelledDot}${label}){1,5}`,
  `${localPart}\\s@\\s?${label}(?:\\.${label}){1,5}`,
].map((form) => new RegExp(`^${form}$`, 'iu'))

/** Matches a dot that is written out within a word. */
const dotInWord = /[-_](?:dot|punt)[-_]|(?<=[a-z\d])(?:DOT|PUNT)(?=[a-z\d])/

/** Returns the addresses in a written-out form. One that touches a sign that may be part of an address is discarded whole. */
function writtenOutIn(text: string, addresses: readonly FoundValue[]): MailInText[] {
  const kept: MailInText[] = []
  let [start, ending, end] = [-1, 0, 0]
  for (const { normalized, from, to, read } of addresses) {
    if (from > start) [start, end] = [from, ending]
    ending = Math.max(ending, to)
    const value = text.slice(from, to)
    // A part of another reading can belong to that address.
    if (from < end || (read !== 'plain' && read !== 'obfuscated') || isTouched(text, from, to)) continue
    if (dotInWord.test(value) || !writtenForms.some((form) => form.test(value))) continue
    const answer = readAddress(normalized)
    if (typeof answer === 'string') continue
    const isConfusable = answer.isConfusable || value.split(/[^\p{L}\p{N}]+/u).some(isMixed)
    kept.push({ from, to, isWrittenOut: true, reading: { ...answer, value, isConfusable }, excluded: null })
  }
  return kept
}

/** Maximum length of a dot that is written out, with the brackets and spaces around it and one further character. */
const LONGEST_DOT = 16
/** Matches a dot, as a sign or written out, with a further label of a host behind it. */
const furtherLabel =
  /^(?:\.|\s{0,2}[[({<]\s?(?:dot|\.|punt)\s?[\])}>]\s{0,2}|\s{1,2}(?:dot|punt)\s{1,2})[\p{L}\p{N}-]/iu

/** True if a sign or a label that may be part of an address is directly before or behind a place. */
function isTouched(text: string, from: number, to: number): boolean {
  const isPart = (sign: string) => /[\p{L}\p{N}_+-]/u.test(sign) || addressSignsIn(sign).length > 0
  const before = text.charAt(from - 1)
  return (
    before === '.' || isPart(before) || isPart(text.charAt(to)) || furtherLabel.test(text.slice(to, to + LONGEST_DOT))
  )
}
