import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let toAscii: ((text: string) => string) | undefined

/** Other scripts are written out in Latin letters; the table comes with the first text that needs it. */
function inLatin(text: string): string {
  toAscii ??= (require('any-ascii') as { default: (text: string) => string }).default
  return toAscii(text)
}

/** Without what no font draws, such as the marks that telephones put around a number that is copied. */
export function withoutUnseen(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

/** The same of a host: a joiner behind a letter of another script stays, where it may tell one name from another (`ශ්‍රී`). */
export function withoutUnseenInHost(text: string): string {
  return text.replace(
    /(?<![[\p{L}\p{M}]--\p{ASCII}])[\u200c\u200d]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gv,
    '',
  )
}

/** The digits of any script as those of ASCII. */
export function withAsciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, digitOf)
}

/** The ten digits of a script stand in a row; a row that touches another begins ten later. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  let zero = code
  while (zero > 0 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is exactly this range.
const ascii = /^[\x00-\x7f]*$/
const marks = /\p{M}+/gu
const pictures = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/gu

/**
 * Lower case without accents, pictures and scripts: what is left to compare by. Deterministic; NFKC first, so that full-width and
 * composed forms meet.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKC').replace(pictures, ' ').normalize('NFD').replace(marks, '')
  return (ascii.test(plain) ? plain : inLatin(plain)).toLowerCase()
}
