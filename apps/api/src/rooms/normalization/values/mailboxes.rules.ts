import { normalizeForBlock } from '../identifiers.rules.ts'
import { LINE_END, type ReadAs, type Spotted } from './found-value.ts'
import { type HostRun, hostAt, isEscape, readingsOfHost } from './hosts-in-text.rules.ts'
import { lettersWith, runAfter, runBefore } from './signs.rules.ts'

/*
 * Pure rules that find the email addresses in a text. The `@` can be written out, as in `jan [at] karoo.co.za`. The name is read in two ways, because
 * signs before it can belong to it or to the text around it: the longest run of all allowed characters, and the longest run of usual ones.
 */

/** Maximum length of a name that is read. One of a valid address has at most 64 characters. */
const LONGEST_NAME = 256
/** Maximum number of spaces, quotes and brackets between a part of an address and its `@`. */
const LONGEST_AROUND = 8

const allowed = lettersWith(".!#$%&'*+/=?^_`{|}~-\u200c\u200d")
const usual = lettersWith('._+-\u200c\u200d')

/** Matches an `@`, and the forms in which it is written out. */
const signs =
  /@|[[({<] ?(?:[Aa][Tt]|[Aa]|[Ää][Tt]|[Bb][Yy]|@) ?[\])}>]|(?<=[\p{L}\p{N}] {0,2})[*|"'~/-][Aa][Tt][*|"'~/-]|(?<=[\p{L}\p{N}"')\]] {1,2}|[\p{L}\p{N}][_-])[Aa][Tt](?=[ _-])|(?<=[a-z\d])AT(?=[a-z\d])|(?<=\p{L} )[Bb]y(?= [^\s.]{1,63} punt )/gu

/** The addresses in a text, and the places where the hosts of addresses begin and their names end. */
export type Mailboxes = { addresses: Spotted[]; hostsFrom: ReadonlySet<number>; namesTo: ReadonlySet<number> }

/** Returns the email addresses in a text in visible form. */
export function mailboxesInText(text: string): Mailboxes {
  const addresses: Spotted[] = []
  const hostsFrom = new Set<number>()
  const namesTo = new Set<number>()
  for (const { 0: sign, index } of text.matchAll(signs)) {
    const isPlain = sign === '@'
    const from = afterSign(text, index + sign.length, isWord(sign))
    const run = hostAt(text, from)
    if (run === undefined || run.labels.length < 2) continue
    const to = beforeSign(text, index, isWord(sign))
    const names = namesBefore(text, to)
    const [first] = names
    if (first === undefined) continue
    // A person could read the name and the host of a URL such as `https://karoo.co.za@vlei.co.za/` as sites.
    if (!isWord(sign) && !isInLink(text, first.from)) {
      hostsFrom.add(from)
      namesTo.add(to)
    }
    const isJoined = LINE_END.test(text.slice(to, from))
    const read = isJoined ? 'joined' : isPlain ? run.read : 'obfuscated'
    for (const { name, from: start } of names) addresses.push(...addressesOf({ name, from: start, run, read }))
  }
  return { addresses, hostsFrom, namesTo }
}

/** Maximum number of characters between the scheme of a URL and its user. */
const LONGEST_AFTER_SCHEME = 200

/** True if a URL begins before this place and its host is not complete there. */
function isInLink(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_AFTER_SCHEME), start)
  const scheme = before.lastIndexOf('://')
  return scheme !== -1 && !/[\s/?#]/.test(before.slice(scheme + 3))
}

/** True if the sign is a word, which can also be a word of a sentence: in `meet us at karoo.co.za` the host is no part of an address. */
function isWord(sign: string): boolean {
  return /^\p{L}+$/u.test(sign)
}

const openings = ' \n\r@[({<"\'“‘«'
const closings = ' \n\r@)]}>"\'”’»'

function afterSign(text: string, end: number, isAfterWord: boolean): number {
  return runAfter(
    text,
    end,
    (_, index) => isOneOf(isAfterWord ? `${openings}-_` : openings, text, index),
    LONGEST_AROUND,
  )
}

function beforeSign(text: string, start: number, isBeforeWord: boolean): number {
  return runBefore(
    text,
    start,
    (_, index) => isOneOf(isBeforeWord ? `${closings}-_` : closings, text, index),
    LONGEST_AROUND,
  )
}

function isOneOf(characters: string, text: string, index: number): boolean {
  return characters.includes(text.charAt(index))
}

/** Matches a name with the path of a link, or with the name of a setting such as `email=`. */
const partOfLink = /\/\/|\?|^[^\s/@]+\.\p{L}{2,}\/|^(?:.*[/&#])?[\p{L}_-]+=/u
/** Matches signs and the number of an item in a list before a name, as in `•jan` and `1.jan`. */
const signsBefore = /^[._+-]+/
const itemBefore = /^(?:\d{1,4}[._+-]+)+(?=[\p{L}\p{N}])/u

/** Returns the readings of the name that ends at `end`, each with its start. */
function namesBefore(text: string, end: number): { name: string; from: number }[] {
  const wideFrom = runBefore(text, end, allowed, LONGEST_NAME)
  const usualFrom = runBefore(text, end, usual, LONGEST_NAME)
  // A longer name is none, and a part of it would be another name.
  if (isEscape(text, usualFrom) || end - wideFrom === LONGEST_NAME) return []
  const wide = without(/^[^\p{L}\p{N}]+/u, text.slice(wideFrom, end))
  const whole = text.slice(usualFrom, end)
  const bare = without(signsBefore, whole)
  const names = [bare, without(itemBefore, bare), whole, ...(partOfLink.test(wide) ? [] : [wide])]
  const all = [...names, ...names.map((name) => name.replace(/[.+-]+$/, ''))]
  return [...new Set(all)].flatMap((name) =>
    /[\p{L}\p{N}]/u.test(name) ? [{ name, from: end - (all.find((one) => one.startsWith(name)) ?? name).length }] : [],
  )
}

function without(pattern: RegExp, text: string): string {
  return text.replace(pattern, '')
}

type Parts = { name: string; from: number; run: HostRun; read: ReadAs }

/** Returns the addresses of a name at each reading of a host. A host without a known suffix counts only if no line end is in the address. */
function addressesOf({ name, from, run, read }: Parts): Spotted[] {
  return readingsOfHost(run).flatMap(({ name: host, to, isKnown }) => {
    if (read === 'joined' && !isKnown) return []
    const { normalized } = normalizeForBlock('email', `${name}@${host}`)
    return normalized === null ? [] : [{ normalized, from, to, read }]
  })
}
