/** Digits without separators. */
const plain = /^\d+$/
/** Groups of three digits with one separator throughout: `1 200`, `1,200`, `1.200.000`, `1'200`. */
const grouped = /^\d{1,3}(?:([ ,.'’])\d{3})(?:\1\d{3})*$/
/** A number as spreadsheets and scripts write it: `50.0`. */
const withZeros = /^(\d+)[.,]0{1,2}$/

/**
 * Returns the whole number that a text states; null if it states none, or if it can be read in two ways. An approximate number (`~20`), a range (`11-50`)
 * and an open end (`50+`) are no whole numbers. `1,000` is 1000, because nobody writes one as three decimals; `1.000` can also be a 1 that a script
 * wrote.
 */
export function readWholeNumber(text: string): number | null {
  const typed = text.normalize('NFKC').replace(/\s+/g, ' ').trim()
  const digits = plain.test(typed) ? typed : (withZeros.exec(typed)?.[1] ?? ungrouped(typed))
  const number = digits === null ? null : Number(digits)
  return number !== null && Number.isSafeInteger(number) ? number : null
}

function ungrouped(typed: string): string | null {
  const [, separator] = grouped.exec(typed) ?? []
  if (separator === undefined) return null
  const groups = typed.split(separator)
  const canBeDecimal = separator === '.' && groups.length === 2 && groups[1] === '000'
  return canBeDecimal ? null : groups.join('')
}
