import { withAsciiDigits } from '../text-folding.rules.ts'

/*
 * Texts that were changed before they are searched, with the place of each character in the text as it was given. All functions need one pass. The
 * result has at most `LONGEST_FORM` times the length of the text, although Unicode normalization alone can make a text 18 times longer.
 */

/** A changed text. `pieces`: the parts that differ from the original, in their order; empty if the text was not changed. */
export type PlacedText = { text: string; pieces: readonly Piece[] }

/** The part [at, end) of the changed text stands for the part [from, to) of the original. */
type Piece = { at: number; end: number; from: number; to: number }

/** Maximum length of the form that replaces one character. A longer form, such as that of `㌖` or `ﷺ`, is a word and never part of a value. */
const LONGEST_FORM = 4

/** Matches characters outside ASCII that have another form under NFKC, digits of other scripts, invisible characters and the ideographic full stop. */
const changeable = /[[\p{Changes_When_NFKC_Casefolded}\p{Nd}\p{Default_Ignorable_Code_Point}。]--\p{ASCII}]/gv
const outsideAscii = /[^\0-\x7f]/
const invisible = /^\p{Default_Ignorable_Code_Point}$/u
const joiner = /^[\u200c\u200d]$/
/** Matches a letter of another script before a joiner, which can distinguish two host names there. */
const letterOfScript = /[[\p{L}\p{M}]--\p{ASCII}]$/v

/**
 * Returns a text as a reader sees it: plain forms of letters, digits and signs, and no invisible characters. The case stays. A joiner after a letter of
 * another script stays too, because it can distinguish two names (`ශ්‍රී`).
 */
export function visibleForm(text: string): PlacedText {
  if (!outsideAscii.test(text)) return { text, pieces: [] }
  return replaced(text, changeable, (character, index) => {
    if (character === '。') return '.'
    if (invisible.test(character))
      return joiner.test(character) && letterOfScript.test(text.slice(Math.max(0, index - 2), index)) ? character : ''
    const form = withAsciiDigits(character.normalize('NFKC'))
    return form.length > LONGEST_FORM ? character : form
  })
}

/**
 * Matches characters around a value that do not belong to it: brackets, quotes, the end of a sentence, or the `'` that an export puts before a cell.
 */
const around = /[\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>.,;:!?…、，；=*|]/u

/** Returns the visible form of a text without brackets, quotes and the end of a sentence around it. */
export function visibleText(value: string): string {
  const { text } = visibleForm(value)
  let [start, end] = [0, text.length]
  while (start < end && around.test(text.charAt(start))) start += 1
  while (end > start && around.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Matches escapes of URLs, of HTML and of JSON. */
const escapes =
  /(?:%[\da-f]{2})+|&#(?:\d{1,7}|x[\da-f]{1,6});|&(?:commat|period|plus|hyphen|lowbar|nbsp|amp|colon|sol);|\\u[\da-f]{4}/gi
const named: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  plus: '+',
  hyphen: '-',
  lowbar: '_',
  nbsp: ' ',
  amp: '&',
  colon: ':',
  sol: '/',
}

/** Returns a text with its escapes replaced by the characters for which they stand, such as `%40` by `@`. */
export function unescapedForm(text: string): PlacedText {
  return replaced(text, escapes, (found) => {
    if (found.startsWith('%')) return bytesOf(found.replaceAll('%', ''))
    if (found.startsWith('&')) return entity(found.slice(1, -1))
    return String.fromCharCode(Number.parseInt(found.slice(2), 16))
  })
}

/** Matches the escapes and the soft line ends of a quoted-printable text, as of a message that was saved with its headers. */
const quotedPrintable = /(?:=[\dA-F]{2})+|=\r?\n/g

/** Returns a quoted-printable text with its escapes replaced by the characters for which they stand, such as `=40` by `@`. */
export function unquotedForm(text: string): PlacedText {
  return replaced(text, quotedPrintable, (found) => (found.endsWith('\n') ? '' : bytesOf(found.replaceAll('=', ''))))
}

const utf8 = new TextDecoder()

function bytesOf(hex: string): string {
  return utf8.decode(Buffer.from(hex, 'hex'))
}

function entity(name: string): string {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? ' '
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' '
}

function replaced(text: string, pattern: RegExp, formOf: (found: string, index: number) => string): PlacedText {
  const pieces: Piece[] = []
  let form = ''
  let done = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const replacement = formOf(found, index)
    if (replacement === found) continue
    form += text.slice(done, index)
    const at = form.length
    form += replacement
    done = index + found.length
    pieces.push({ at, end: form.length, from: index, to: done })
  }
  return pieces.length === 0 ? { text, pieces } : { text: form + text.slice(done), pieces }
}

/** Returns the place in the original of the part [from, to) of a changed text. An end within a changed piece includes the whole piece. */
export function placeOf({ pieces }: PlacedText, from: number, to: number): { from: number; to: number } {
  return { from: originalOf(pieces, from).from, to: originalOf(pieces, to - 1).to }
}

/** Returns the place of one character. */
function originalOf(pieces: readonly Piece[], index: number): { from: number; to: number } {
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((pieces[middle] as Piece).at <= index) low = middle + 1
    else high = middle
  }
  const piece = pieces[low - 1]
  if (piece === undefined) return { from: index, to: index + 1 }
  if (index < piece.end) return { from: piece.from, to: piece.to }
  const from = piece.to + index - piece.end
  return { from, to: from + 1 }
}
