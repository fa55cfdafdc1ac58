import { isAbroad, possibleInternational, possibleNumberIn } from '../phones.rules.ts'
import { LINE_END, type Spotted } from './found-value.ts'

/*
 * Pure rules that find the phone numbers in a text. The digits of a number can be grouped in any way, and anything that is no letter can stand between
 * the groups. Therefore every window of neighbouring groups is read. The time is linear, because a window has a limited number of digits.
 */

/** Maximum number of characters between two digit groups of one number. */
const LONGEST_GAP = 16
/** Maximum number of digits of a number: 15 of the E.164 form, and a prefix such as 00. */
const MOST_DIGITS = 17
const FEWEST_DIGITS = 7
/** Number of digits of a South African number without its zero. */
const LOCAL_DIGITS = 9
/** Maximum number of characters between a plus and its number. */
const LONGEST_AFTER_PLUS = 3

/** Matches characters that separate two numbers or texts: letters, tabs and other control characters. A line end is none, because lines can be joined. */
const barrier = /[\p{L}[\p{Cc}--[\r\n\u0085]]]/v

/** A run of digit groups without a barrier between them. */
type Run = {
  /** the digits of all groups */
  digits: string
  /** for each group its place in `digits`, and the end of the last group */
  at: number[]
  /** the places of the groups in the text */
  from: number[]
  to: number[]
  /** for each group how strongly it is separated from the group before; the last element is that of the end of the run */
  gaps: Gap[]
}

/** Strength of a separation: punctuation of phone numbers, one space, several spaces or a slash, other signs, the end of a run. */
type Gap = 0 | 1 | 2 | 3 | 4

/** Returns the phone numbers in a text in visible form. `region`: the country of local numbers; South Africa if it is null. */
export function numbersInText(text: string, region: string | null): Spotted[] {
  const found = exponentsIn(text)
  let run: Run | undefined
  const flush = () => {
    if (run !== undefined && run.digits.length >= FEWEST_DIGITS) readRun(text, run, region, found)
    run = undefined
  }
  for (let index = firstDigit(text, 0); index < text.length; ) {
    let end = index + 1
    while (isDigit(text.charCodeAt(end))) end += 1
    const last = run?.to.at(-1)
    const gap = last === undefined ? undefined : gapOf(text, last, index)
    if (gap === undefined) flush()
    run ??= { digits: '', at: [], from: [], to: [], gaps: [] }
    run.gaps.push(gap ?? 4)
    run.at.push(run.digits.length)
    run.from.push(index)
    run.to.push(end)
    run.digits += text.slice(index, end)
    index = firstDigit(text, end)
  }
  flush()
  return found
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Returns the place of the first digit from `start` on, or the length of the text. A loop is several times as fast as a pattern here. */
function firstDigit(text: string, start: number): number {
  let index = start
  while (index < text.length && !isDigit(text.charCodeAt(index))) index += 1
  return index
}

/** Matches what can stand between two groups of one number in its usual forms. */
const usualGap = /^[\s().+\-\u2010-\u2015]*$/

/** Returns the strength of a separation. Returns undefined for a barrier. */
function gapOf(text: string, from: number, to: number): Gap | undefined {
  if (to - from > LONGEST_GAP) return undefined
  const between = text.slice(from, to)
  if (between === ' ') return 1
  if (between === '-') return 0
  if (barrier.test(between)) return undefined
  if (!usualGap.test(between.replaceAll('/', ''))) return 3
  if (/[/\n\u2028]|\s{2}/.test(between)) return 2
  return /\s/.test(between) ? 1 : 0
}

function readRun(text: string, run: Run, region: string | null, found: Spotted[]): void {
  const { digits, at, from, to, gaps } = run
  const add = (normalized: string, start: number, last: number) => {
    const end = to[last] as number
    found.push({ normalized, from: start, to: end, read: readOf(text, start, end) })
  }
  const isOfDate = groupsOfDates(text, run)
  const isZeroInBrackets = (group: number) =>
    (to[group] as number) - (from[group] as number) === 1 && text.startsWith('(0)', (from[group] as number) - 1)
  for (let first = 0; first < from.length; first++) {
    const plus = plusBefore(text, from[first] as number)
    const start = startOf(text, plus ?? (from[first] as number), to[first] as number)
    const isInternational = plus !== undefined || text.startsWith('00', from[first])
    let dialled = ''
    let inner: number = 0
    let impossible: { number: string; last: number } | undefined
    const count = found.length
    for (let last = first; last < from.length; last++) {
      if (isOfDate[last] === true) break
      // A plus begins another number.
      if (last > first && plus !== undefined && plusBefore(text, from[last] as number) !== undefined) break
      if (last > first) inner = Math.max(inner, gaps[last] as Gap)
      // The zero of `+27 (0)82` is not dialled.
      if (last === first || !isZeroInBrackets(last)) dialled += digits.slice(at[last], at[last + 1])
      // Zeros in brackets add no digit, so the groups are limited too.
      if (dialled.length > MOST_DIGITS || last - first > MOST_DIGITS) break
      if (dialled.length < FEWEST_DIGITS) continue
      const isWhole = inner < Math.min(gaps[first] as Gap, gaps[last + 1] ?? 4)
      const isLocal = dialled.length === LOCAL_DIGITS && isLocalShape(at, first, last)
      const groups = { isInternational, isWhole, isLocalShape: isLocal }
      for (const number of numbersOf(dialled, groups, region)) {
        add(number, start, last)
        readSeries(text, run, { last, number, isOfDate }, (other, end) => add(other, start, end))
      }
      if (isWhole && isDialledAbroad(dialled, groups)) impossible = { number: `+${withoutPrefix(dialled)}`, last }
    }
    // Older rules read a number in international form even if no country has numbers of its length.
    if (impossible !== undefined && found.length === count) add(impossible.number, start, impossible.last)
  }
  if (digits.length > MOST_DIGITS) readSideBySide(text, run, found)
}

/** Returns the start of a number with the bracket around its first digits, as in `(021) 555 6601`. */
function startOf(text: string, start: number, end: number): number {
  return text.charAt(start - 1) === '(' && text.charAt(end) === ')' ? start - 1 : start
}

/** Returns the place of the plus before a number. */
function plusBefore(text: string, start: number): number | undefined {
  for (let at = start - 1; at >= start - LONGEST_AFTER_PLUS; at--) {
    const character = text.charAt(at)
    if (character === '+') return at
    if (character !== ' ' && character !== '(') return undefined
  }
  return undefined
}

/** Matches dates and times of day. Their digits are no part of a number. */
const datesAndTimes =
  /(?<!\d)(?:(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)\d\d|(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?!\d|[-/.:]\d)/g

/** Returns for each group whether it belongs to a date or a time. */
function groupsOfDates(text: string, { from, to }: Run): boolean[] {
  const isOfDate: boolean[] = []
  if (from.length < 2 || !/[-/.:]/.test(text.slice(from[0], to.at(-1)))) return isOfDate
  const start = from[0] as number
  let group = 0
  for (const { 0: date, index } of text.slice(start, to.at(-1)).matchAll(datesAndTimes)) {
    for (; group < from.length && (from[group] as number) < start + index + date.length; group++)
      isOfDate[group] = (from[group] as number) >= start + index
  }
  return isOfDate
}

/** `isInternational`: a plus or 00 is before the digits. */
type Groups = { isInternational: boolean; isWhole: boolean; isLocalShape: boolean }

/**
 * Matches South African numbers with a prefix: 0, 27, 0027, and 0927, which was the international prefix until 2007. A zero after the code is not
 * dialled. Numbers of the prefix 0861 can have ten digits.
 */
const southAfrican = /^(?:(?:00|09?)?270?|0)([1-9]\d{8}|861\d{7})$/
/** Matches numbers of assigned networks without a prefix, which a spreadsheet removes. */
const bareSouthAfrican = /^(?:1[0-8]|2[1-378]|3[1-69]|4\d|5[1346-8]|6\d|7[0-46-9]|8[1-6])\d{7}$/
/** Matches the digits of a number in international form behind `+` or `00`. */
const dialledAbroad = /^[1-9]\d{6,14}$/

function withoutPrefix(digits: string): string {
  return digits.startsWith('00') ? digits.slice(2) : digits
}

function isDialledAbroad(digits: string, { isInternational }: Groups): boolean {
  return isInternational && dialledAbroad.test(withoutPrefix(digits))
}

/** Returns the numbers that a person could dial by these digits. */
function numbersOf(
  digits: string,
  { isInternational, isWhole, isLocalShape: hasShape }: Groups,
  region: string | null,
): string[] {
  const national = nationalDigits(digits, isWhole, hasShape)
  const southern = national === undefined ? [] : [`+27${national}`]
  if (isInternational) {
    const number = southern.length > 0 ? undefined : possibleInternational(withoutPrefix(digits))
    return number === undefined ? southern : [number]
  }
  if (!isAbroad(region)) return southern
  const { number, isAssigned } = possibleNumberIn(digits, region)
  if (number === undefined || !(isAssigned || isWhole)) return southern
  return isAssigned ? [number] : [...new Set([number, ...southern])]
}

function nationalDigits(digits: string, isWhole: boolean, hasShape: boolean): string | undefined {
  if (digits.length !== LOCAL_DIGITS) return southAfrican.exec(digits)?.[1]
  if (digits.startsWith('0') || !(isWhole || (hasShape && bareSouthAfrican.test(digits)))) return undefined
  return digits
}

/** True if nine digits are grouped as in a South African number without its zero: 9, 2 and 7, 2, 3 and 4, or 5 and 4. */
function isLocalShape(at: readonly number[], first: number, last: number): boolean {
  const start = at[first] as number
  const cuts = at.slice(first + 1, last + 1).map((place) => place - start)
  return ['', '2', '2,5', '5'].includes(cuts.join())
}

/** Matches the separator of a series, as in `011 555 0122/3`. */
const seriesSign = /^ ?[-/\u2010-\u2015] ?$/
const MOST_NUMBERS_OF_SERIES = 8

/**
 * Reads the other numbers of a series: `011 555 0122/3` is two numbers, which end in 2 and 3, and `0100/0101` has whole ends. `last`: the last group of
 * the first number.
 */
function readSeries(
  text: string,
  { digits, at, from, to }: Run,
  { last, number, isOfDate }: { last: number; number: string; isOfDate: readonly boolean[] },
  add: (number: string, last: number) => void,
): void {
  for (let group = last + 1; group < Math.min(from.length, last + MOST_NUMBERS_OF_SERIES); group++) {
    const end = digits.slice(at[group], at[group + 1])
    const sign = text.slice(to[group - 1], from[group])
    const isEnd = end.length <= 2 || (end.length === 4 && sign.includes('/'))
    if (!isEnd || isOfDate[group] === true || !seriesSign.test(sign)) return
    add(number.slice(0, -end.length) + end, group)
  }
}

const localDigits = /0[1-9]\d{8}/y
const internationalDigits = /27[1-9]\d{8}/y

/**
 * Reads South African numbers that follow one another without a separator, as in `0831234567082 123 4567`. They occur if cells of a sheet end up in one
 * field. They count if the last of them ends where a group ends. Each place of the digits is read once at most.
 */
function readSideBySide(text: string, run: Run, found: Spotted[]): void {
  const { digits, at, from, to } = run
  const groupAt = new Map(at.map((place, group) => [place, group]))
  const isRead = new Set<number>()
  for (const [first, start] of at.entries()) {
    const numbers: { from: number; to: number }[] = []
    let place = start
    while (numbers.length === 0 || !(groupAt.has(place) || place === digits.length)) {
      const pattern =
        place === start && plusBefore(text, from[first] as number) !== undefined ? internationalDigits : localDigits
      pattern.lastIndex = place
      if (isRead.has(place) || !pattern.test(digits)) {
        numbers.length = 0
        break
      }
      if (place !== start) isRead.add(place)
      numbers.push({ from: place, to: pattern.lastIndex })
      place = pattern.lastIndex
    }
    if (numbers.length < 2) continue
    let group = first
    const groupOf = (index: number) => {
      while ((at[group + 1] ?? digits.length) <= index) group += 1
      return group
    }
    for (const number of numbers) {
      const [firstGroup, lastGroup] = [groupOf(number.from), groupOf(number.to - 1)]
      const start = (from[firstGroup] as number) + number.from - (at[firstGroup] as number)
      const end = (to[lastGroup] as number) - ((at[lastGroup + 1] ?? digits.length) - number.to)
      const normalized = `+27${digits.slice(number.to - 9, number.to)}`
      found.push({ normalized, from: start, to: end, read: readOf(text, start, end) })
    }
  }
}

/** Matches a number as a spreadsheet shows it, such as `2.7827654321E+10`. */
const exponent = /(?<![\d.,])(\d)(?:[.,](\d{1,14}))?E\+?0?(\d{1,2})(?!\d)/gi

/** Reads numbers in the form of a spreadsheet. `2.78E+10` has lost its last digits, which are read as zeros. */
function exponentsIn(text: string): Spotted[] {
  if (!/\dE[+\d]/i.test(text)) return []
  return [...text.matchAll(exponent)].flatMap(({ 0: whole, 1: first = '', 2: rest = '', 3: power, index }) => {
    const digits = first + rest.replace(/0+$/, '').padEnd(Number(power), '0')
    const national =
      digits.length - 1 === Number(power) ? (southAfrican.exec(digits)?.[1] ?? bareNational(digits)) : undefined
    if (national === undefined) return []
    return [{ normalized: `+27${national}`, from: index, to: index + whole.length, read: 'decoded' as const }]
  })
}

function bareNational(digits: string): string | undefined {
  return bareSouthAfrican.test(digits) ? digits : undefined
}

function readOf(text: string, from: number, to: number): Spotted['read'] {
  return LINE_END.test(text.slice(from, to)) ? 'joined' : 'plain'
}
