import { hasKnownSuffix, normalizeIdentifier, withoutUnseen } from '../../normalization/normalization.ts'
import type { ExcludedRule, Syntax } from './found-values.ts'
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
 * Finds addresses in a line of text as a browser shows it. An address is the whole run of characters around an `@`. A run with further characters
 * that could belong to it is discarded and never shortened. The functions are pure, and linear in the length of the text.
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

/** Returns all addresses, and texts that resemble an address, in order. */
export function mailsInText(text: string): MailInText[] {
  const found: MailInText[] = []
  let done = 0
  for (let at = nextAt(text, 0); at !== -1; at = nextAt(text, Math.max(at + 1, done))) {
    const [from, to] = runAround(text, at, done)
    done = Math.max(to, at + 1)
    const one = readRun(text, from, to)
    if (one !== undefined) found.push(one)
  }
  return [...found, ...writtenOutIn(text)].toSorted((a, b) => a.from - b.from)
}

function nextAt(text: string, from: number): number {
  const ascii = text.indexOf('@', from)
  const wide = text.indexOf('＠', from)
  return ascii === -1 || wide === -1 ? Math.max(ascii, wide) : Math.min(ascii, wide)
}

function runAround(text: string, at: number, done: number): [number, number] {
  let from = at
  let to = at + 1
  while (from > done && at - from < MAX_RUN && !delimiter.test(text.charAt(from - 1))) from -= 1
  while (to < text.length && to - at < MAX_RUN && !delimiter.test(text.charAt(to))) to += 1
  return [from, to]
}

/** Reads the run around one `@`. Undefined if the sign stands alone: `open @ 8`. */
function readRun(text: string, start: number, end: number): MailInText | undefined {
  let [from, to] = [start, end]
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
  if (/^[@＠]/.test(run)) return excluded(/^[@＠][\w.-]+\/[\w.-]+[@＠]/.test(run) ? 'package_name' : 'handle')
  const isGlued = /[‘’]/.test(run) || (/^\d/.test(run) && /\d[\s().-]*$/.test(text.slice(Math.max(0, from - 8), from)))
  if (isGlued || end - start >= MAX_RUN || (run.match(/[@＠]/g) ?? []).length !== 1) return excluded('unclear')
  if (text.charAt(end) === ':' && end === to && /[\p{L}\p{N}/]/u.test(text.charAt(end + 1))) return excluded('url_user')
  const answer = readAddress(run.replace('＠', '@'))
  return typeof answer === 'string'
    ? excluded(answer)
    : { ...place, reading: { ...answer, value: run }, excluded: null }
}

/** True if a URL scheme, such as `git+ssh://`, precedes the run without a space between them. */
function isBehindScheme(text: string, from: number): boolean {
  return /[a-z+]:\/{2}[^\s]*$/i.test(text.slice(Math.max(0, from - MAX_LOCAL), from))
}

/** Reads a text that should be exactly one address, or returns the reason why it is not. */
export function readAddress(address: string): MailReading | ExcludedRule {
  const shown = withoutUnseen(address)
  const at = shown.lastIndexOf('@')
  const local = shown.slice(0, at)
  const host = shown.slice(at + 1).toLowerCase()
  const resembles = resembled(local.toLowerCase(), host)
  if (resembles !== undefined) return resembles
  const { normalized } = normalizeIdentifier('email', shown)
  if (normalized === null || gluedLabel.test(local)) return 'unclear'
  const ascii = normalized.slice(normalized.lastIndexOf('@') + 1)
  if (!hasKnownSuffix(ascii)) return 'unclear'
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
  const isUsual = /^[a-z\d](?:[a-z\d._+-]*[a-z\d])?$/i.test(local) && /^[a-z\d.-]+$/i.test(host)
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
const label = String.raw`[\p{L}\p{N}-]{1,63}`
/** Limits of a written-out form. A form that touches a sign that may be part of an address is discarded whole. */
const notBehind = String.raw`(?<![\p{L}\p{N}._+@＠-])`
const notAhead = String.raw`(?![\p{L}\p{N}_+@＠-]|\.[\p{L}\p{N}])`
const writtenForms = [
  `${localPart}${bracketedAt}${label}(?:${dotSign}${label}){1,5}`,
  `${localPart}\\s(?:at|by)\\s${label}(?:${spelledDot}${label}){1,5}`,
  `${localPart}\\s@\\s?${label}(?:\\.${label}){1,5}`,
].map((form) => new RegExp(notBehind + form + notAhead, 'giu'))
/** Words of which every written-out form contains at least one. A text without any of them is not searched. */
const mayBeWritten = /[[({<]\s?(?:at|@|by)|\sat\s|\sby\s|\s@/i

function writtenOutIn(text: string): MailInText[] {
  if (!mayBeWritten.test(text)) return []
  return writtenForms.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match) => {
      const [value] = match
      const plain = value
        .replace(/\s?[[({<]\s?(?:at|@|by)\s?[\])}>]\s?|\s(?:at|by)\s|\s@\s?/i, '@')
        .replace(/\s?[[({<]\s?(?:dot|\.|punt)\s?[\])}>]\s?|\s(?:dot|punt)\s/gi, '.')
      const answer = readAddress(plain)
      if (typeof answer === 'string') return []
      const from = match.index
      return [{ from, to: from + value.length, isWrittenOut: true, reading: { ...answer, value }, excluded: null }]
    }),
  )
}
