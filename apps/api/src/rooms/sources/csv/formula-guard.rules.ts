/**
 * A spreadsheet runs a cell that begins with one of these. Exports put `'` before such a cell; what such an export wrote is read back as
 * it was, and any other such cell is pointed out.
 */
const begins = new Set(['=', '+', '-', '@', '\t', '\r'])
/** A number or a phone begins with + or - and is no formula. */
const harmless = /^[+-][\d\s().,/%-]*$/

export function isFormula(cell: string): boolean {
  return begins.has(cell.charAt(0)) && !harmless.test(cell)
}

export function isGuarded(cell: string): boolean {
  return cell.charCodeAt(0) === 39 && begins.has(cell.charAt(1))
}

export function withoutGuard(cell: string): string {
  return cell.slice(1)
}
