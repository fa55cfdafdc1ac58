const format = new Intl.NumberFormat('en')

/**
 * Writes a number of a sentence: 1,830. Sentences are the same in every workspace: numbers like this, days as 2026-11-21 and times in RFC 3339. The web
 * app shows them in the format of the workspace (docs/decisions/sentences-have-one-notation.md).
 */
export function numeral(value: number | bigint): string {
  return format.format(value)
}

/** Writes a number with its noun, or with the words that follow it: '1 prospect waits', '1,830 prospects wait'. */
export function counted(value: number, one: string, many: string): string {
  return `${numeral(value)} ${value === 1 ? one : many}`
}
