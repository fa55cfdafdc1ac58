/** Several addresses or numbers that were pasted into one input, as a person may want them: apart. Offered, never done by itself. */
import type { IdentifierList } from './prospect-form.ts'

type Kind = { separators: readonly RegExp[]; isOne: (part: string) => boolean }

const digitsIn = (text: string) => text.replace(/\D/g, '').length
/** A whole number, and not the last digits of a series such as 011 555 0123/4. */
const [fewestDigits, mostDigits] = [9, 15]

const kinds: Record<IdentifierList, Kind> = {
  // Behind a name there are spaces, so they part addresses only where nothing stronger does.
  emails: { separators: [/[;,|/]/, /\s+/], isOne: (part) => /^[^@]*\S@\S[^@]*$/.test(part) },
  phones: {
    separators: [/[;,|/&]|\s(?:or|and|of|en)\s/i, /\s+(?=\+)/],
    isOne: (part) =>
      /^[\d+(][\d\s().+\-\u2010-\u2013]*$/.test(part) && digitsIn(part) >= fewestDigits && digitsIn(part) <= mostDigits,
  },
  domains: { separators: [/[;,|\s]+/], isOne: (part) => /^\S+\.\S+$/.test(part) && !part.includes('@') },
}

/** Lines of a sheet come out with a space between them, or none: where one local number ends is told by its ten digits. */
const localNumbers = /^\s*(?:0(?:[\s-]*\d){9}\s*){2,}$/
const eachLocalNumber = /0(?:[\s-]*\d){9}/g

/** The values that stand in what was typed, two or more; null where it is one, or where it cannot be told where one ends. */
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
