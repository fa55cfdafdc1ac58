/*
 * A spreadsheet runs a cell whose first character is one of these signs, also behind white space or characters that no font draws, which some
 * programs drop before they look. CSV for people gets a `'` before such a cell, and one more before a cell that begins with `'` and such a
 * sign already, so that removing one `'` restores the original. The reader reports any other cell that a spreadsheet would run.
 */
const signs = '=+@＝＋－＠-'
const blanks = '\\p{White_Space}\\p{Default_Ignorable_Code_Point}'
/** A cell that begins with a tab or a line end counts whatever follows: some programs begin a cell anew there. */
const start = `(?:[\\t\\r\\n]|[${blanks}]*[${signs}])`
const runs = new RegExp(`^${start}`, 'u')
const guarded = new RegExp(`^'+${start}`, 'u')
/** A number or a phone begins with + or - and is no formula. */
const harmless = new RegExp(`^(?![\\t\\r\\n])[${blanks}]*[+-][\\d\\s().,/%-]*$`, 'u')

export function isFormula(cell: string): boolean {
  return !isPlain(cell.charCodeAt(0)) && runs.test(cell) && !harmless.test(cell)
}

/** A letter, a digit or another ASCII character that begins no formula: nearly every cell, told without an expression. */
function isPlain(code: number): boolean {
  return code > 0x2d && code < 0x7f && code !== 0x3d && code !== 0x40
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
