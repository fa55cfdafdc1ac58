/** Folds text for sorting by name and for search: the result is the same whatever the case and accents of the text. */
export function fold(value: string): string {
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}
