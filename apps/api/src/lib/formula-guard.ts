/*
 * Protection against cells that a spreadsheet would execute. A spreadsheet evaluates a cell that begins with one of these signs, also after white
 * space or invisible characters, which some programs drop first. A CSV file for people gets a `'` before such a cell. A cell that already begins with
 * `'` and a sign gets another `'`, so that removing one `'` restores the original. When a CSV file is read, any other cell that a spreadsheet would
 * evaluate is reported.
 */
const signs = '=+@＝＋－＠-'
const blanks = '\\p{White_Space}\\p{Default_Ignorable_Code_Point}'
/** Start of a cell that counts as a formula. A tab or a line end always counts, because some programs start a new cell there. */
const start = `(?:[\\t\\r\\n]|[${blanks}]*[${signs}])`
const runs = new RegExp(`^${start}`, 'u')
const guarded = new RegExp(`^'+${start}`, 'u')
/** Matches a number or a phone number that begins with + or -. It is no formula. */
const harmless = new RegExp(`^(?![\\t\\r\\n])[${blanks}]*[+-][\\d\\s().,/%-]*$`, 'u')

export function isFormula(cell: string): boolean {
  return !isPlain(cell.charCodeAt(0)) && runs.test(cell) && !harmless.test(cell)
}

/**
 * True for the code of a letter, a digit or another ASCII character that begins no formula. Nearly every cell begins with one, and this check needs
 * no regular expression.
 */
function isPlain(code: number): boolean {
  return code > 0x2d && code < 0x7f && code !== 0x3d && code !== 0x40
}

export function isGuarded(cell: string): boolean {
  return cell.charCodeAt(0) === 39 && guarded.test(cell)
}

/** Returns the cell in a form that is safe to open in a spreadsheet. If `isGuarded` is true for a cell, `withoutGuard` returns its original. */
export function withGuard(cell: string): string {
  return isFormula(cell) || isGuarded(cell) ? `'${cell}` : cell
}

export function withoutGuard(cell: string): string {
  return cell.slice(1)
}
