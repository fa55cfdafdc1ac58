/** Splits several addresses or numbers that were pasted into one input. The form offers this; it is never done automatically. */
import type { IdentifierList } from './prospect-form.ts'

type Kind = { separators: readonly RegExp[]; isOne: (part: string) => boolean }

const digitsIn = (text: string) => text.replace(/\D/g, '').length
/** Minimum and maximum number of digits of a complete number. The last part of a series such as 011 555 0123/4 is shorter. */
const [fewestDigits, mostDigits] = [9, 15]

const kinds: Record<IdentifierList, Kind> = {
  // Names contain spaces, so addresses are split at spaces only if there is no other separator.
  emails: { separators: [/[;,|/]/, /\s+/], isOne: (part) => /^[^@]*\S@\S[^@]*$/.test(part) },
  phones: {
    separators: [/[;,|/&]|\s(?:or|and|of|en)\s/i, /\s+(?=\+)/],
    isOne: (part) =>
      /^[\d+(][\d\s().+\-\u2010-\u2013]*$/.test(part) && digitsIn(part) >= fewestDigits && digitsIn(part) <= mostDigits,
  },
  domains: { separators: [/[;,|\s]+/], isOne: (part) => /^\S+\.\S+$/.test(part) && !part.includes('@') },
}

/** Several local numbers in a row, with or without spaces between them, as cells pasted from a spreadsheet. Each number has ten digits. */
const localNumbers = /^\s*(?:0(?:[\s-]*\d){9}\s*){2,}$/
const eachLocalNumber = /0(?:[\s-]*\d){9}/g

/** Returns the values in the typed text. Returns null if there is only one, or if the end of a value is ambiguous. */
export function severalIn(list: IdentifierList, typed: string): string[] | null {
  const { separators, isOne } = kinds[list]
  for (const separator of separators) {
    const parts = typed
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== '')
    if (parts.length > 1 && parts.every(isOne)) return parts
  }
  return list === 'phones' && localNumbers.test(typed) ? (typed.match(eachLocalNumber) ?? null) : null
}
