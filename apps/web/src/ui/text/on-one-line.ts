/** Matches a tab, a line end or another control character, with the white space around it. One-line fields cannot store them. */
const separators = /\s*[\p{Cc}\u2028\u2029]\s*/gu

/**
 * Removes a tab, a line end or another control character at either end, as in cells copied from a table, and replaces others by a space. The texts
 * around them are never joined, which would make one wrong value of two.
 */
export const onOneLine = (text: string): string =>
  text.replace(/^ *[\p{Cc}\u2028\u2029]\s*|[\p{Cc}\u2028\u2029]\s*$/gu, '').replace(separators, ' ')

export const isOnOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text)
