import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let toAscii: ((text: string) => string) | undefined

/** Transliterates other scripts to Latin letters. The table is loaded with the first text that needs it. */
function inLatin(text: string): string {
  toAscii ??= (require('any-ascii') as { default: (text: string) => string }).default
  return toAscii(text)
}

/** Removes invisible characters, such as the marks that phones add to copied numbers. */
export function withoutUnseen(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

/** Like `withoutUnseen`, for hosts: a joiner after a letter of another script stays if it can distinguish names (`ශ්‍රී`). */
export function withoutUnseenInHost(text: string): string {
  return text.replace(
    /(?<![[\p{L}\p{M}]--\p{ASCII}])[\u200c\u200d]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gv,
    '',
  )
}

/** Converts the digits of any script to ASCII. */
export function withAsciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, digitOf)
}

/** Returns the value of a digit. The ten digits of a script are consecutive; an adjacent script begins ten later. */
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
 * Folds a text for comparison: lower case, without accents, emoji and other scripts. Deterministic. NFKC comes first, so that full-width and composed
 * forms match.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKC').replace(pictures, ' ').normalize('NFD').replace(marks, '')
  return (ascii.test(plain) ? plain : inLatin(plain)).toLowerCase()
}
