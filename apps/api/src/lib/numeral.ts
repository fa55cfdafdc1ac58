const format = new Intl.NumberFormat('en')

/**
 * Writes a number of a sentence: 1,830. Sentences are the same in every workspace: numbers like this, days as 2026-11-21 and times in RFC 3339. The web
 * app shows them in the format of the workspace (docs/decisions/sentences-have-one-notation.md).
 */
export function numeral(value: number | bigint): string {
  return format.format(value)
}
