/**
 * Of what was typed over what stands, the fields that differ from it. A field that nobody touched is no part of a draft: restored, it would
 * take back what somebody else has changed there since.
 */
export function changedFields<Fields extends object>(standing: Fields, typed: Partial<Fields>): Partial<Fields> {
  const over: Partial<Fields> = {}
  for (const field in typed) if (typed[field] !== standing[field]) over[field] = typed[field]
  return over
}
