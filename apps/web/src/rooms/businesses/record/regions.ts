/**
 * The countries whose local phone numbers are read as full ones; the API takes ISO 3166 codes. Numbers of other countries are
 * typed with their + and need none.
 */
const known = [{ value: 'ZA', label: 'South Africa +27' }]

/** A country that a record already carries stays selectable, whatever this version reads. */
export function regionOptions(held: string): { value: string; label: string }[] {
  if (held === '' || known.some(({ value }) => value === held)) return known
  return [...known, { value: held, label: held }]
}

/** What this browser kept of the country that was chosen last; nothing, where it is none that is offered. */
export function regionFrom(kept: unknown): string {
  return known.find(({ value }) => value === kept)?.value ?? ''
}
