import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let toAscii: ((text: string) => string) | undefined

/** Transliterates other scripts to Latin letters. The library with the table is loaded for the first text that needs it. */
function inLatin(text: string): string {
  toAscii ??= (require('any-ascii') as { default: (text: string) => string }).default
  return toAscii(text)
}

/** True for a text with a control character or a line end, such as a tab, NUL or U+2028. Such a character separates values and is never part of one. */
export function hasControlCharacter(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

/** Removes invisible characters, such as the marks that phones add to copied numbers. */
export function withoutUnseen(text: string): string {
  // No ASCII character is invisible, and most texts are ASCII.
  if (!/[^\0-\x7f]/.test(text)) return text
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

/** Like `withoutUnseen`, for host names. A joiner after a letter of another script stays, because it can distinguish two names (`ශ්‍රී`). */
export function withoutUnseenInHost(text: string): string {
  return text.replace(
    /(?<![[\p{L}\p{M}]--\p{ASCII}])[\u200c\u200d]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gv,
    '',
  )
}

/** Converts the digits of any script to ASCII. */
export function withAsciiDigits(text: string): string {
  return text.replace(/[\p{Nd}--[0-9]]/gv, digitOf)
}

/**
 * Returns the value of a digit of any script. It counts back to the first digit, because the ten digits of a script are consecutive. Another script
 * may follow directly, so the distance is taken modulo 10.
 */
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
 * Folds a text for comparison: lower case, without accents and emoji, and other scripts in Latin letters. Deterministic. NFKC is applied first, so
 * that full-width and composed forms match.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKC').replace(pictures, ' ').normalize('NFD').replace(marks, '')
  return (ascii.test(plain) ? plain : inLatin(plain)).toLowerCase()
}
