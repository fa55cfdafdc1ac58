/**
 * A spreadsheet runs a cell that begins with one of these. Exports put `'` before such a cell; what such an export wrote is read back as
 * it was, and any other such cell is pointed out.
 */
const begins = /^[=+\-@\t\r]/
const guarded = /^'[=+\-@\t\r]/
/** A number or a phone begins with + or - and is no formula. */
const harmless = /^[+-][\d\s().,/%-]*$/

export function isFormula(cell: string): boolean {
  return begins.test(cell) && !harmless.test(cell)
}

export function isGuarded(cell: string): boolean {
  return guarded.test(cell)
}

export function withoutGuard(cell: string): string {
  return cell.slice(1)
}
