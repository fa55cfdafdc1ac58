import { withAsciiDigits, withoutUnseen } from '../../normalization/normalization.ts'

/*
 * Pure rules that return a text as a reader sees it. Texts that look the same must have the same keys: a number in full-width digits, an address with
 * an invisible character, an address in quotation marks. They need one pass over the text, which can be a cell of any length.
 */

/** Matches plain ASCII without surrounding punctuation, which nearly every value is. Its visible text is the text itself. */
const plain = /^[\w+(][ -~]*\w$/

/**
 * Matches characters around a value that do not belong to it: brackets, quotes, the end of a sentence, or the `'` that an export puts before a cell.
 */
const around = /[\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>.,;:!?…。、，；=*|]/u

export function isPlainText(value: string): boolean {
  return plain.test(value)
}

/** Removes invisible characters and surrounding punctuation, and replaces letters and digits by their plain forms. */
export function visibleText(value: string): string {
  if (isPlainText(value)) return value
  const text = withAsciiDigits(withoutUnseen(value.normalize('NFKC')))
  let [start, end] = [0, text.length]
  while (start < end && around.test(text.charAt(start))) start += 1
  while (end > start && around.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
