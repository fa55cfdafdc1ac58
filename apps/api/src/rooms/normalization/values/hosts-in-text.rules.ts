import { hasKnownSuffix, isPublicSuffix, isReservedHost } from '../domain-parts.rules.ts'
import { asciiDomain } from '../hosts.rules.ts'
import type { ReadAs, Spotted } from './found-value.ts'
import { lettersWith, runAfter, runBefore } from './signs.rules.ts'

/* Pure rules that find the host names in a text. A dot can be written out, as in `karoo[.]co[.]za` and `karoo dot co dot za`. */

/** Maximum length of a label that is read. One of a valid host has at most 63 characters. */
const LONGEST_LABEL = 100
/** Maximum number of labels that are read. */
const MOST_LABELS = 24

const ofLabel = lettersWith('-_\u200c\u200d')

/** A host as it was read: its labels, each with its place. `read`: whether a dot is written out. */
export type HostRun = { labels: { text: string; from: number; to: number }[]; read: ReadAs }

const plainDot = /\.{1,2}(?!\.)/y
/** Matches a dot that is written out, in brackets, or between spaces. */
const spelledDot =
  / {0,2}[[({<] ?(?:dot|punt|point|\.) ?[\])}>] {0,2}| {0,2}[*|"'~/-](?:dot|punt)[*|"'~/-] {0,2}| {1,2}(?:dot|punt|\.) {1,2}/iy

/** Reads the host that begins at `start`. Returns undefined if no label begins there. */
export function hostAt(text: string, start: number): HostRun | undefined {
  const labels: HostRun['labels'] = []
  let read: ReadAs = 'plain'
  let from = start
  while (labels.length < MOST_LABELS) {
    const to = runAfter(text, from, ofLabel, LONGEST_LABEL)
    if (to === from) break
    labels.push({ text: text.slice(from, to), from, to })
    plainDot.lastIndex = to
    spelledDot.lastIndex = to
    if (plainDot.test(text)) from = plainDot.lastIndex
    else if (spelledDot.test(text) && ofLabel(text, spelledDot.lastIndex)) {
      from = spelledDot.lastIndex
      read = 'obfuscated'
    } else break
  }
  if (labels.length === 0) return undefined
  const divided = dividedLabels(labels)
  return { labels: divided, read: divided.length > labels.length ? 'obfuscated' : read }
}

/** A reading of a host. `isKnown`: it ends in a suffix of the list. */
export type HostReading = { name: string; to: number; isKnown: boolean }

/**
 * Returns the readings of a host in a text, the longest one first. If its end is no known suffix, the text behind the host may touch it, as in
 * `karoo.co.za.Please` and `karoo.co.za-today`, and the longest part with a known suffix is read too. A plain host before a dot that is
 * written out is read too.
 */
export function readingsOfHost({ labels }: HostRun): HostReading[] {
  const readings: HostReading[] = []
  const lastName = labels.findLastIndex(({ text }) => !/^\d+$/.test(text))
  for (let count = lastName + 1; count > 1; count--) {
    const part = labels.slice(0, count)
    const whole = readingOf(part)
    if (whole !== undefined && (count === lastName + 1 || whole.isKnown)) readings.push(whole)
    const cut = whole?.isKnown === true ? undefined : readingOf(cutLabel(part))
    if (cut?.isKnown === true) readings.push(cut)
    if (readings.at(-1)?.isKnown === true && !isSentenceEnd(part) && !beginsPlain(part)) break
  }
  return readings
}

type Labels = HostRun['labels']

/** Matches a dot that is written out within a word, as in `karoo-dot-co-dot-za` and `karooDOTcoDOTza`. */
const dotInWord = /([-_](?:[Dd][Oo][Tt]|[Pp][Uu][Nn][Tt])[-_]|(?<=[a-z\d])(?:DOT|PUNT)(?=[a-z\d]))/

function dividedLabels(labels: Labels): Labels {
  if (!labels.some(({ text }) => dotInWord.test(text))) return labels
  return labels.flatMap(({ text, from }) => {
    let place = from
    return text.split(dotInWord).flatMap((part, index) => {
      const label = { text: part, from: place, to: place + part.length }
      place += part.length
      return index % 2 === 0 ? [label] : []
    })
  })
}

/** True if a sentence may begin with the last label, as in `karoo.co.za.Today`. */
function isSentenceEnd(labels: Labels): boolean {
  return /^\p{Lu}\p{Ll}/u.test(labels.at(-1)?.text ?? '') && !/^\p{Lu}/u.test(labels.at(-2)?.text ?? '')
}

/** True if the dots before the first written-out one are plain. That one can be a sign of the sentence, as in `karoo.co.za . Tel` and `karoo.co.za . me`. */
function beginsPlain(labels: Labels): boolean {
  return labels.findIndex(({ from }, index) => from - (labels[index - 1]?.to ?? from) > 2) > 1
}

/** Cuts the last label at its first hyphen or underscore. */
function cutLabel(labels: Labels): Labels {
  const last = labels.at(-1)
  const length = last?.text.search(/[-_]/) ?? -1
  if (last === undefined || length < 1) return []
  return [...labels.slice(0, -1), { text: last.text.slice(0, length), from: last.from, to: last.from + length }]
}

function readingOf(labels: Labels): HostReading | undefined {
  const last = labels.at(-1)
  if (last === undefined || labels.length < 2 || /^\d/.test(last.text)) return undefined
  // Existing host names contain underscores, although no registrable domain does.
  const name = labels
    .map(({ text }) => text.replace(/^[_-]+/, '').replaceAll('_', '-'))
    .filter((label) => label !== '')
    .join('.')
  const ascii = asciiDomain(name)
  if (ascii === undefined) return undefined
  return { name: ascii, to: last.to, isKnown: hasKnownSuffix(ascii) || isReservedHost(ascii) }
}

/** Matches a dot that is written out. */
const writtenDot =
  /[[({<] ?(?:[Dd][Oo][Tt]|[Pp][Uu][Nn][Tt]|[Pp][Oo][Ii][Nn][Tt]|\.) ?[\])}>]|[*|"'~/-](?:[Dd][Oo][Tt]|[Pp][Uu][Nn][Tt])[*|"'~/-]|[ _-](?:[Dd][Oo][Tt]|[Pp][Uu][Nn][Tt]|\.)[ _-]|(?<=[a-z\d])(?:DOT|PUNT)(?=[a-z\d])/g

/** Returns the dots of a text that can be part of a host, in their order. */
function dotsOf(text: string): { dot: string; index: number }[] {
  const dots: { dot: string; index: number }[] = []
  for (let index = text.indexOf('.'); index !== -1; index = text.indexOf('.', index + 1))
    if (index > 0 && !/[\s,;:!?]/.test(text.charAt(index - 1)) && !/^[\s,;:!?]?$/.test(text.charAt(index + 1)))
      dots.push({ dot: '.', index })
  if (!/dot|punt|point|[[({< ]\.[\])}> ]/i.test(text)) return dots
  for (const { 0: dot, index } of text.matchAll(writtenDot)) dots.push({ dot, index })
  return dots.sort((one, other) => one.index - other.index)
}

/** Matches file names whose ending is also a suffix of hosts. */
const fileName = /^[^.]+\.(?:do|md|mov|pl|ps|py|rs|sh|zip)$/

/** True if a text that looks like a host can be the name of a file, such as `welcome.do`. */
export function isFileName(host: string): boolean {
  return fileName.test(host)
}

/**
 * Returns the hosts in a text in visible form. `isPartOfAddress`: whether the text [from, to) is the name or the host of an email address, which is
 * left out. `anySuffix`: whether hosts whose suffix is not in the list are included.
 */
export function hostsInText(
  text: string,
  { anySuffix, isPartOfAddress }: { anySuffix: boolean; isPartOfAddress: (from: number, to: number) => boolean },
): Spotted[] {
  const found: Spotted[] = []
  let done = 0
  for (const { dot, index } of dotsOf(text)) {
    if (index < done) continue
    const end = /^[[({<*|"'~/-]/.test(dot) && text.charAt(index - 1) === ' ' ? index - 1 : index
    const from = runBefore(text, end, ofLabel, LONGEST_LABEL)
    // The host behind the escape of a URL is read when the URL is decoded.
    if (isEscape(text, from)) continue
    const run = from === end ? undefined : hostAt(text, from)
    const last = run?.labels.at(-1)
    if (run === undefined || last === undefined || last.to <= index) continue
    done = last.to
    if (isPartOfAddress(from, last.to)) continue
    const isInPath = from > 1 && '/?&=#'.includes(text.charAt(from - 1)) && !text.startsWith('//', from - 2)
    for (const { name, to, isKnown } of readingsOfHost(run)) {
      const isFile = isInPath && (!isKnown || isFileName(name))
      if (isFile || !(isKnown || anySuffix) || isPublicSuffix(name)) continue
      found.push({ normalized: withoutWww(name), from, to, read: run.read })
    }
  }
  return found
}

/** True if an escape such as `%40` ends two characters behind this place. */
export function isEscape(text: string, from: number): boolean {
  return text.charAt(from - 1) === '%' && /^[\da-f]{2}$/i.test(text.slice(from, from + 2))
}

function withoutWww(host: string): string {
  return host.replace(/^(?:www\.)+(?=.+\.)/, '')
}
