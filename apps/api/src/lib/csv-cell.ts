/** Returns a cell of a CSV file in quotes (RFC 4180). */
export function quotedCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
