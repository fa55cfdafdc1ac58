import { withAsciiDigits, withoutUnseen } from '../../normalization/normalization.ts'

/*
 * A text as it looks to whoever reads it. Pure. Two texts that nobody can tell apart must not be two for a block: a number in full-width
 * digits, an address with a mark inside that no font draws, one in quotation marks. In one go over the text, which may be a cell of any length.
 */

/** Begins and ends with what is part of a value, in plain ASCII: nearly every value does, and looks as it was typed. */
const plain = /^[\w+(][ -~]*\w$/

/** What may stand around a value and is no part of it: brackets and quotes of any kind, what ends a sentence, what guards a cell. */
const around = /[\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>.,;:!?…。、，；=*|]/u

export function isPlainText(value: string): boolean {
  return plain.test(value)
}

/** Without what no font draws, in plain forms and digits, and without what stands around it. */
export function visibleText(value: string): string {
  if (isPlainText(value)) return value
  const text = withAsciiDigits(withoutUnseen(value.normalize('NFKC')))
  let [start, end] = [0, text.length]
  while (start < end && around.test(text.charAt(start))) start += 1
  while (end > start && around.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
