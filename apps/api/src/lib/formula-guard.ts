/*
 * A spreadsheet runs a cell that begins with one of these. Whoever writes CSV for people puts `'` before such a cell, and one more before
 * a cell that begins with `'` and such a sign already, so that what is read back is what was written; any other cell that a spreadsheet
 * would run is pointed out by whoever reads it.
 */
const signs = '=+@\t\r\n＝＋－＠-'
const runs = new Set([...signs].map((sign) => sign.charCodeAt(0)))
/** A number or a phone begins with + or - and is no formula. */
const harmless = /^[+-][\d\s().,/%-]*$/
const guarded = new RegExp(`^'+[${signs}]`)

export function isFormula(cell: string): boolean {
  return runs.has(cell.charCodeAt(0)) && !harmless.test(cell)
}

export function isGuarded(cell: string): boolean {
  return cell.charCodeAt(0) === 39 && guarded.test(cell)
}

/** The cell as it may stand in a file that somebody opens in a spreadsheet; `withoutGuard` of what `isGuarded` gives it back exactly. */
export function withGuard(cell: string): string {
  return isFormula(cell) || isGuarded(cell) ? `'${cell}` : cell
}

export function withoutGuard(cell: string): string {
  return cell.slice(1)
}
